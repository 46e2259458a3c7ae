const MAX_ADDRESS = 254;
const MAX_SUBJECT = 200;

// One mailbox and nothing else: no list, no display name, no comment, no route, no line break (RFC 5321 §4.1.2, dot-string).
const MAILBOX =
  /^[^\s\p{C}@<>()[\]\\,;:"]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)*[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;
const DOTS = /^\.|\.\.|\.@/;

/** Whether a text is the address of exactly one mailbox. */
export function isMailbox(text: string): boolean {
  return text.length <= MAX_ADDRESS && MAILBOX.test(text) && !DOTS.test(text);
}

/** One line: what a user has named a webhook may hold line breaks, and a header must not. */
export function oneLine(text: string, max = MAX_SUBJECT): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim();
  // Cut at a code unit, less the half of a character that may leave.
  return line.length <= max ? line : `${line.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
