const MAX_CHARACTERS = 200;
const MAX_EXTENSION = 20;

// Controls, and the marks that turn the direction of a text: `exe.gpj` must not look like `jpg.exe`.
// eslint-disable-next-line no-control-regex -- controls are what is looked for
const INVISIBLE = /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2028\u2029\u2060-\u2069\uFEFF\uFFFD]/gu;

/** The name that a file is kept and offered under: no path, nothing invisible, never empty, and not too long. */
export function cleanFileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const clean = last.replaceAll(INVISIBLE, '').toWellFormed().normalize('NFC').trim().replace(/^\.+/, '').trim();
  return clean === '' ? 'file' : shortened(clean);
}

/** Cut in the middle of the name: its extension tells people what it is. */
function shortened(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= MAX_CHARACTERS) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot === -1 ? [] : Array.from(name.slice(dot)).slice(0, MAX_EXTENSION);
  return [...characters.slice(0, MAX_CHARACTERS - extension.length), ...extension].join('');
}
