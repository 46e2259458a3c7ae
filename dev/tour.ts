import { join } from 'node:path';
import { writePrivateFile } from './files.ts';
import { sampleReceipt } from './settings.ts';
import type { Settings } from './settings.ts';
import type { StackAddresses } from './stack.ts';

/** What scripts read of a running stack. */
export function readyFile(settings: Pick<Settings, 'varDir'>): string {
  return join(settings.varDir, 'ready.json');
}

/** Writes `var/ready.json`, as a whole and for its owner only (it holds the demo's password and key). */
export function writeReadyFile(
  settings: Settings,
  addresses: StackAddresses,
  pids: Record<string, number>,
  seconds: number,
): void {
  const { apiUrl, temporalUiUrl, receiverUrl, demo, cronSecret, postgresPort } = addresses;
  const content = {
    api_url: apiUrl,
    docs_url: `${apiUrl}/docs`,
    temporal_ui_url: temporalUiUrl ?? null,
    receiver_url: receiverUrl ?? null,
    postgres_port: postgresPort ?? null,
    demo: demo === undefined ? null : { ...demo, cron_secret: cronSecret },
    seconds_to_ready: Number(seconds.toFixed(2)),
    pids: { start: process.pid, ...pids },
  };
  writePrivateFile(readyFile(settings), `${JSON.stringify(content, null, 2)}\n`);
}

/** The addresses, the demo's login and key, and curl lines to paste. */
export function tourText(settings: Settings, addresses: StackAddresses): string {
  const { apiUrl, temporalUiUrl, demo, receiverUrl } = addresses;
  const lines = ['', `API          ${apiUrl}`, `Docs         ${apiUrl}/docs`];
  if (temporalUiUrl !== undefined) lines.push(`Temporal UI  ${temporalUiUrl}`);
  if (demo !== undefined && receiverUrl !== undefined) {
    lines.push(`Receiver     ${receiverUrl}   (its last deliveries; each prints a line below)`);
    lines.push(`Demo login   ${demo.email} / ${demo.password}`);
    if (demo.member_email !== undefined) lines.push(`             ${demo.member_email} / the same password`);
    lines.push(`API key      ${demo.api_key}`, '', ...curlTour(settings, apiUrl, receiverUrl, demo));
  }
  lines.push('', 'Ctrl-C stops everything; the data stays.');
  return lines.join('\n');
}

function curlTour(
  settings: Settings,
  apiUrl: string,
  receiverUrl: string,
  demo: { email: string; password: string; api_key: string },
): string[] {
  const json = `-H 'Content-Type: application/json'`;
  const receipt = sampleReceipt(settings.root) ?? '/path/to/a/receipt.jpg';
  const extract = (fields: string): string =>
    `printf '{"file_base64":"%s"${fields}}' "$(base64 < "$RECEIPT" | tr -d '\\n')" | curl -s "$API/api/v1/vision/extract" -H "Authorization: Bearer $KEY" ${json} -d @-; echo`;
  return [
    'Try it in another terminal:',
    '',
    `API=${apiUrl} KEY=${demo.api_key} RECEIPT='${receipt}'`,
    '',
    '# create a work item; its signed webhook shows up below as a [receiver] line',
    `curl -s "$API/api/v1/public/data" -H "X-API-Key: $KEY" ${json} -d '{"action":"create-work-item","item_type":"job","title":"Repair the cold store"}'; echo`,
    '',
    '# list the newest',
    `curl -s "$API/api/v1/public/data" -H "X-API-Key: $KEY" ${json} -d '{"action":"list-work-items","limit":5}'; echo`,
    '',
    '# sign in as a person',
    `curl -s "$API/api/v1/auth/login" ${json} -d '{"email":"${demo.email}","password":"${demo.password}"}'; echo`,
    '',
    '# read a receipt, and wait for its fields',
    extract(''),
    '',
    '# read it in the background: 202 now, the signed callback on a [receiver] line later',
    extract(`,"webhook_url":"${receiverUrl}/hook"`),
  ];
}
