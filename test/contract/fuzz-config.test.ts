import { describe, expect, it } from '@jest/globals';
import { openApiDocument } from '../../api/adapters/openapi.ts';
import { fuzzConfig } from '../../dev/fuzz-config.ts';

const document = openApiDocument('https://api.business.test') as unknown as {
  paths: Record<string, Record<string, { operationId: string }>>;
  components: { securitySchemes: Record<string, unknown> };
};
const config = fuzzConfig({ accessToken: 'a "token"', oauthToken: 'b', apiKey: 'svc_sk_x' });

describe('the configuration of the fuzzer', () => {
  it('has a credential for each security scheme of the document, quoted', () => {
    const schemes = [...config.matchAll(/^\[auth\.openapi\.(\w+)\]$/gm)].map((match) => match[1]);
    expect(schemes.sort()).toEqual(Object.keys(document.components.securitySchemes).sort());
    expect(config).toContain('bearer = "a \\"token\\""');
  });

  it('excepts operations that exist, each with a reason', () => {
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    const excepted = [...config.matchAll(/^# .+\n\[\[operations\]\]\ninclude-operation-id = "([\w-]+)"$/gm)];
    expect(excepted.length).toBe(config.match(/\[\[operations\]\]/g)?.length);
    expect(ids).toEqual(expect.arrayContaining(excepted.map((match) => match[1])));
  });
});
