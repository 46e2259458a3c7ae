import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Services } from '../../api/services.ts';
import { sourceFile } from '../../api/vision/source-file.ts';
import { GuardedHttp } from '../../platform/http/guarded-client.ts';
import { startReceiver } from '../support/stack.ts';
import type { Receiver } from '../support/stack.ts';

let receiver: Receiver;
const http = new GuardedHttp({ allowPrivateTargets: true });
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(async () => {
  await http.destroy();
  await receiver.close();
});

const source = (input: object): Promise<Uint8Array> => sourceFile({ http } as Services, input);
const text = async (input: object): Promise<string> => Buffer.from(await source(input)).toString();

describe('file_base64', () => {
  it.each([
    ['plain', 'aGk/IGhpPg=='],
    ['of the alphabet for URLs', 'aGk_IGhpPg=='],
    ['without padding', 'aGk_IGhpPg'],
    ['in lines', 'aGk/\r\nIGhp\nPg=='],
    ['as a data: URL', 'data:application/pdf;base64,aGk/IGhpPg=='],
    ['as a data: URL with parameters', 'DATA:application/pdf;name=a.pdf;charset=utf-8;base64,aGk/IGhpPg=='],
  ])('is taken %s', async (_how, file_base64) => {
    expect(await text({ file_base64 })).toBe('hi? hi>');
  });

  it.each(['aGk/I', 'aGkh=', 'aGk/IA=', '=', 'aG=k', 'aGk/IGhpPg===', 'aGk*'])('refuses %s', async (file_base64) => {
    await expect(source({ file_base64 })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'file_base64', issue: 'is not base64' }],
    });
  });
});

describe('file_url', () => {
  const answers = (status: number, more: object = {}): Promise<string> => {
    receiver.respondWith({ status, ...more });
    return text({ file_url: receiver.url });
  };

  it('is fetched', async () => {
    expect(await answers(200, { body: 'the document' })).toBe('the document');
  });

  it.each<[string, number, object, string, RegExp]>([
    ['that leads elsewhere', 302, { headers: { location: 'http://127.0.0.1/' } }, 'BAD_GATEWAY', /302; redirects/],
    ['where nothing is', 404, {}, 'BAD_GATEWAY', /answered 404/],
    ['of an empty file', 200, { body: '' }, 'VALIDATION_ERROR', /empty file/],
    ['of more than 20 MiB', 200, { body: 'x'.repeat(20 * 1_048_576 + 1) }, 'PAYLOAD_TOO_LARGE', /larger than 20 MiB/],
  ])('%s is refused by its name', async (_what, status, more, code, issue) => {
    await expect(answers(status, more)).rejects.toMatchObject({
      code,
      details: [{ field: 'file_url', issue: expect.stringMatching(issue) }],
    });
  });
});
