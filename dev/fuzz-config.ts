/** What the fuzzer enters with. */
export interface FuzzAccess {
  accessToken: string;
  oauthToken: string;
  apiKey: string;
}

/**
 * The configuration of schemathesis: a credential for each security scheme of the document, all checks on, and the
 * exceptions, each with its reason.
 */
export function fuzzConfig({ accessToken, oauthToken, apiKey }: FuzzAccess): string {
  const text = (value: string): string => JSON.stringify(value);
  return `continue-on-failure = true
request-timeout = 40

[auth.openapi.bearerJwt]
bearer = ${text(accessToken)}
[auth.openapi.apiKey]
api_key = ${text(apiKey)}
[auth.openapi.bearerApiKey]
bearer = ${text(apiKey)}
[auth.openapi.oauth2]
bearer = ${text(oauthToken)}

[generation]
# PostgreSQL stores no NUL character: every text refuses it (VALIDATION_ERROR), which no pattern in the document repeats.
allow-x00 = false

# 422: a rule of the business that no schema can say.
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "401", "403", "404", "409", "422", "429"]

# 431: the head of a request has a limit as a whole, whatever its parts.
[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "415", "422", "428", "429", "431", "5xx"]

# A deleted API key stays readable and can be activated again (spec, "States and transitions").
[checks.use_after_free]
enabled = false

# JSON-RPC: what is wrong with a call is said in an answer of status 200.
[[operations]]
include-operation-id = "mcp"
[operations.checks.negative_data_rejection]
enabled = false
[operations.checks.positive_data_acceptance]
enabled = false
${JUDGED_BY_CONTENT.map(([operation, reason]) => exception(operation, reason)).join('')}`;
}

/** Operations that refuse some values with 400 or 415 by what they mean, or that were given another's id. */
const JUDGED_BY_CONTENT: readonly (readonly [string, string])[] = [
  ['create-api-key', 'A name in use is 400 (spec, "Errors"); scopes must be known; addresses are IPs or CIDR ranges.'],
  ['update-api-key', 'The same as create-api-key.'],
  ['list-work-items', 'The ends of its spans of time must be dates.'],
  ['create-oauth-application', 'Redirect addresses, scopes and grants must fit one another and the type of client.'],
  ['update-oauth-application', 'The same as create-oauth-application.'],
  ['create-user', 'Names must hold no control or invisible characters and no web address.'],
  ['update-user', 'The same as create-user, and at least one field must be given.'],
  ['update-client', 'Countries, currencies and time zones must be known, and at least one field be given.'],
  ['change-password', 'The current password must be right, and the new one another.'],
  ['oauth-token', 'Which parameters are needed depends on the grant; codes and tokens must have been issued.'],
  ['oauth-introspect', 'The client must be known.'],
  ['oauth-authorize', 'The application must be registered; any other is shown a page with 400 and never redirected.'],
  ['oauth-decide', 'The handle of a request and the CSRF token must have been issued to the browser.'],
  ['oauth-revoke', 'A form with a field twice is refused (RFC 6749 §3.2).'],
  ['publish-event', 'The work item must be one of the client.'],
  [
    'create-webhook',
    'Events must be in the catalogue; the address must be http or https; credentials, headers, filter and template must fit.',
  ],
  ['update-webhook', 'The same as create-webhook, together with what is stored.'],
  ['replay-dead-letters', 'Either ids or a time range is given, and the range must end after it begins.'],
  ['recover-webhook', 'The moment must lie in the past 90 days.'],
  ['list-deliveries', 'Its times must be dates between 1900 and 2200.'],
  ['list-dead-letters', 'The same as list-deliveries.'],
  ['test-webhook', 'The event must be in the catalogue.'],
  ['add-work-item-attachment', 'The body must be a form with one file in it, and no more.'],
  ['change-comment-visibility', 'One of the two fields must be given.'],
  ['extract', 'One of file_base64 and file_url is sent, the base64 or the address of a document of a known type.'],
  ['classify', 'The same as extract.'],
  ['split', 'The same as extract.'],
  ['crop', 'The same as extract.'],
  ['pipeline', 'The same as extract.'],
  ['get-usage', 'The period must not end before it begins.'],
  ['replay-callbacks', 'The same as replay-dead-letters.'],
  ['create-model', 'Names of fields, and of the columns of a table, must differ.'],
  ['train-model', 'Annotations must name fields of the model, and the texts be base64.'],
  ['correct-result', 'Which fields there are, and of which kind, the extraction says.'],
  ['put-ledger-accounts', 'The codes of accounts must differ.'],
  ['get-result', 'Chained calls take the id of an operation in a batch for the id of an extraction.'],
  [
    'create-work-item',
    'Dates are ISO 8601, the status is one of its type, and users, contacts, teams and parents must exist.',
  ],
  ['update-work-item', 'The same as create-work-item.'],
  ['add-work-item-relationship', 'The related work item must exist.'],
  ['create-contact', 'The country must be one of ISO 3166.'],
  ['update-contact', 'The same as create-contact.'],
  ['create-appointment', 'It must not end before it begins, and whatever it names must exist.'],
  ['update-appointment', 'The same as create-appointment, and at least one field must be given.'],
  [
    'create-time-entry',
    'A start lies at most 24 hours ahead, with an end after it or a duration, and the user exists.',
  ],
  ['update-time-entry', 'The same as create-time-entry, and at least one field must be given.'],
  ['create-employee', 'Manager and user must exist, and the last day not come before the first.'],
  ['update-employee', 'The same as create-employee.'],
  ['remove-team-member', 'Chained calls take the user of an employee who has none.'],
  ['create-form', 'Field keys must differ, and choices need options.'],
  ['update-form', 'The same as create-form.'],
  ['submit-form', 'Which values are needed, and of which kind, the form says.'],
  ['clock', 'A timestamp must lie within the last 24 hours, and the work item exist.'],
  ['auditor-export', 'The period must not end before it begins, nor last ten years.'],
  ['run-batch', 'The ids of operations must be unique.'],
  ['run-action', 'Dates are ISO 8601, statuses known, and other records named by id must exist.'],
  [
    'create-workflow-template',
    'Steps must fit create-work-item and one another; conditions, paths and users must be known.',
  ],
  ['update-workflow-template', 'The same as create-workflow-template.'],
  [
    'preview-payload-template',
    'The event must exist, paths and conditions be well-formed, and a mode have what it needs.',
  ],
  ['run-workflow-template', 'The work item must exist.'],
];

function exception(operation: string, reason: string): string {
  return `
# ${reason}
[[operations]]
include-operation-id = "${operation}"
[operations.checks.positive_data_acceptance]
enabled = false
`;
}
