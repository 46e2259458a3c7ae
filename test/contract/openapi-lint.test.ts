import { describe, expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import type { RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { openApiDocument } from '../../api/adapters/openapi.ts';

const source = JSON.stringify(openApiDocument('https://api.business.test'));

/**
 * The specification names both `/work-items/{id}/comments` and `/work-items/webhooks/{id}`. No path fits both: the id of a
 * work item is a UUID or an integer, and so is never "webhooks".
 */
const AMBIGUOUS_BY_SPEC = '`/api/v1/work-items/webhooks/{id}`';

describe('the OpenAPI document under linters', () => {
  it('has no error and no warning under the recommended rules of Redocly, but for two paths of the specification', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    const ours = problems.filter(
      ({ ruleId, message }) => ruleId !== 'no-ambiguous-paths' || !message.includes(AMBIGUOUS_BY_SPEC),
    );
    expect(
      ours.map(({ severity, ruleId, message, location }) => ({
        severity,
        ruleId,
        message,
        at: location[0]?.pointer,
      })),
    ).toEqual([]);
  });

  it('has no finding of any severity under the recommended OpenAPI rules of Spectral, none switched off', async () => {
    const spectral = new spectralCore.Spectral();
    spectral.setRuleset({ extends: [[rulesets.oas as RulesetDefinition, 'recommended']] });
    const problems = await spectral.run(source);
    expect(problems.map(({ severity, code, message, path }) => ({ severity, code, message, path }))).toEqual([]);
  });
});
