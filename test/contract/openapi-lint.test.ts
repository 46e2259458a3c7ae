import { describe, expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import type { RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { openApiDocument } from '../../api/adapters/openapi.ts';

const source = JSON.stringify(openApiDocument('https://api.business.test'));

describe('the OpenAPI document under linters', () => {
  it('has no error and no warning under the recommended rules of Redocly, none switched off', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    expect(
      problems.map(({ severity, ruleId, message, location }) => ({
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
