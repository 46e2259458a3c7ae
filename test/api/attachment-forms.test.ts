import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AttachmentsFixture, head, NOTHING, TAIL, text } from './attachments-support.ts';
import { startHostileServer } from './hostile-server.ts';
import { expectRefusal } from './support.ts';
import type { ApiFixture } from './support.ts';

let files: AttachmentsFixture;
let api: ApiFixture;
beforeAll(async () => {
  files = await AttachmentsFixture.start();
  api = files.api;
  // So that the folder is there to be looked into.
  await files.upload(Buffer.from('hello'));
});
afterAll(() => api.close());

describe('a form that is not as it must be', () => {
  it.each([
    ['no file', [TAIL], 400, 'BAD_REQUEST', 'file'],
    ['a file in another field', [head('a.txt', 'upload'), 'x', TAIL], 400, 'BAD_REQUEST', 'upload'],
    ['two files', [head('a.txt'), 'x', '\r\n', head('b.txt'), 'y', TAIL], 400, 'BAD_REQUEST', 'file'],
    ['an empty file', [head('a.txt'), TAIL], 400, 'VALIDATION_ERROR', 'file'],
    ['text in the field of the file', [text('file'), TAIL], 400, 'BAD_REQUEST', 'file'],
    ['an unknown field', [text('title'), '\r\n', head('a.txt'), 'x', TAIL], 400, 'VALIDATION_ERROR', 'title'],
    ['a hostile field', [text('__proto__'), '\r\n', head('a.txt'), 'x', TAIL], 400, 'VALIDATION_ERROR', '__proto__'],
    ['a field twice', [text('a'), '\r\n', text('a'), '\r\n', head('a.txt'), 'x', TAIL], 400, 'BAD_REQUEST', 'a'],
    ['no end', [head('a.txt'), 'x'], 400, 'BAD_REQUEST', undefined],
    ['no form at all', ['hello'], 400, 'BAD_REQUEST', undefined],
  ])('%s', async (_what, parts, status, code, field) => {
    expect(await files.sendRaw(parts)).toEqual({ status, code, field });
    expect(await files.left()).toEqual(NOTHING);
  });

  it.each([
    ['application/json', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['multipart/mixed; boundary=x', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['multipart/form-data', 400, 'BAD_REQUEST'],
  ])('the type %s', async (type, status, code) => {
    expect(await files.sendRaw(['{}'], { headers: { 'content-type': type } })).toMatchObject({ status, code });
  });

  it('no body', async () => {
    expectRefusal(
      await api.http().post(files.path()).set('Authorization', `Bearer ${files.owner}`),
      400,
      'BAD_REQUEST',
    );
  });

  it('one that does not arrive in time is 408, and nothing of it is left', async () => {
    const slow = await startHostileServer(api.services, { bodyTimeoutMs: 200 });
    try {
      const parts = [head('slow.bin'), randomBytes(100_000)];
      const answer = await files.sendRaw(parts, { url: slow.url, isOpen: true });
      expect(answer).toMatchObject({ status: 408, code: 'REQUEST_TIMEOUT' });
      expect(await files.left()).toEqual(NOTHING);
    } finally {
      await slow.close();
    }
  });

  it('one that breaks off leaves no row and no blob', async () => {
    const before = files.blobs().length;
    for (let round = 0; round < 3; round += 1) {
      const sent = files.open();
      sent.on('error', () => undefined);
      sent.write(head('cut.bin'));
      sent.write(randomBytes(3_000_000));
      while ((await files.unclaimed()).length === 0) await sleep(5);
      await sleep(20 * round);
      sent.destroy();
      const deadline = Date.now() + 5_000;
      while ((await files.unclaimed()).length > 0 && Date.now() < deadline) await sleep(10);
      expect(await files.unclaimed()).toEqual([]);
    }
    expect(files.blobs()).toHaveLength(before);
    expect(await files.left()).toEqual(NOTHING);
  });
});

const DISPOSITION = 'content-disposition';

describe('what a file is called and what it is', () => {
  it.each([
    ['../../etc/passwd', 'passwd'],
    ['Pömp "vor" repair.png', 'Pömp "vor" repair.png'],
    ['C:\\Users\\x\\report.pdf', 'report.pdf'],
    ['a\u202Egpj.exe', 'agpj.exe'],
    ['.htaccess', 'htaccess'],
    ['...', 'file'],
    [`${'n'.repeat(400)}.pdf`, `${'n'.repeat(196)}.pdf`],
    ['日本語 レポート.txt', '日本語 レポート.txt'],
  ])('case %#: a name is cleaned, kept, and offered', async (given, kept) => {
    const answer = await files.upload(Buffer.from('hello'), { name: given });
    expect(answer.body.data).toMatchObject({ file_name: kept, content_type: 'text/plain' });
    const download = await files.get(answer.body.data.download_path);
    const offered = /filename\*=UTF-8''(\S+)$/.exec(download.headers[DISPOSITION] ?? '')?.[1] ?? '';
    expect(decodeURIComponent(offered)).toBe(kept);
    expect(download.headers[DISPOSITION]).toMatch(/^attachment; filename="[ !#-~]+"; filename\*=UTF-8''\S+$/);
  });

  it('a name with line ends cannot add headers', async () => {
    const form = [head('x%0d%0aSet-Cookie: a=b.txt'), 'hello', TAIL];
    expect(await files.sendRaw(form)).toMatchObject({ status: 201 });
    const [newest] = (
      await api.act(files.key, { action: 'get-work-item-attachments', work_item_id: files.item.work_item_id })
    ).body.data.attachments;
    expect((await files.get(newest.download_path)).headers['set-cookie']).toBeUndefined();
  });

  it.each([
    ['page.png', '<!doctype html><script>alert(1)</script>', 'text/html'],
    ['image.jpg', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'image/svg+xml'],
    ['hidden.txt', `<!-- ${'x'.repeat(100)} --><svg onload=alert(1)>`, 'image/svg+xml'],
    ['feed.html', '<?xml version="1.0"?><rss/>', 'application/xml'],
    ['list.csv', 'a,b\n1,2\n', 'text/csv'],
    ['data.json', '{"a": 1}', 'application/json'],
    ['script.sh', '#!/bin/sh\necho', 'text/plain'],
    ['setup.txt', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]), 'application/x-msdownload'],
    ['noise.txt', Buffer.from([0xff, 0xfe, 0x00, 0x01, 0x80]), 'application/octet-stream'],
  ])('%s is what its content says, and always a download that runs nothing', async (name, content, type) => {
    const answer = await files.upload(Buffer.from(content as string), { name, type: 'image/png' });
    expect(answer.body.data.content_type).toBe(type);
    const { headers } = await files.get(answer.body.data.download_path);
    expect(headers['content-type']).toBe(type);
    expect(headers[DISPOSITION]).toMatch(/^attachment;/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox");
  });
});
