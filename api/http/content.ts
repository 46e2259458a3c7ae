import type { Request, Response } from 'express';
import { pipeline } from 'node:stream/promises';
import type { Content } from '../operation.ts';

/**
 * Sends bytes that somebody once uploaded. A browser must never take them for a page of ours: they are always a
 * download, of the type that was found out, and run nothing.
 */
export async function sendContent(req: Request, res: Response, content: Content): Promise<void> {
  const etag = `"${content.etag}"`;
  res.setHeader('ETag', etag);
  res.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
  if (holds(req.get('if-none-match'), etag)) {
    res.status(304).end();
    return;
  }
  const isWanted = req.method !== 'HEAD';
  // Opened before the head is sent, so that missing bytes are still an error answer.
  const bytes = isWanted ? await content.open() : undefined;
  res.statusCode = 200;
  res.setHeader('Content-Type', content.mediaType);
  res.setHeader('Content-Length', content.size);
  res.setHeader('Content-Disposition', attachmentNamed(content.fileName));
  if (bytes === undefined) {
    res.end();
    return;
  }
  try {
    await pipeline(bytes, res);
  } catch (error) {
    // Whoever asked has gone. Anything else is ours, and the cut connection tells that the bytes aren't whole.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

/** RFC 9110 §13.1.2: compared weakly. */
function holds(ifNoneMatch: string | undefined, etag: string): boolean {
  const given = (ifNoneMatch ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  return given.includes(etag) || given.includes('*');
}

/** RFC 6266: the name in UTF-8, and for those who don't know that, what ASCII can show of it. */
function attachmentNamed(fileName: string): string {
  const ascii = fileName.replaceAll(/[^ -~]|["\\%]/gu, '_');
  const utf8 = encodeURIComponent(fileName).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${utf8}`;
}
