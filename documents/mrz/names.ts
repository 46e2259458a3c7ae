import { asLetters } from './alphabet.ts';

export interface ZoneNames {
  surname: string;
  given_names: string;
}

/** Letters that `<` is read as: a run of them is the filler of the line's end. */
const FILLER_TWINS = 'KLC';

/**
 * The name field: surname, `<<`, given names, fillers; one `<` stands for a space, a hyphen or an apostrophe
 * (ICAO Doc 9303 part 3, section 4.6). What follows the given names' fillers is misread filler.
 */
export function readNames(field: string): ZoneNames {
  const text = asLetters(field).replace(/^<+/, '');
  const at = separatorOf(text);
  if (at === undefined) return { surname: spaced(withoutTail(text)), given_names: '' };
  const rest = text.slice(at).replace(/^<+/, '');
  const end = rest.search(/<<|<(?=[KLC<]*$)/);
  return {
    surname: spaced(text.slice(0, at)),
    given_names: spaced(withoutTail(end < 0 ? rest : rest.slice(0, end))),
  };
}

/** Position of the `<<` between the names; one of its two may have been read as a letter. */
function separatorOf(text: string): number | undefined {
  const clear = text.indexOf('<<');
  if (clear > 0 && /[A-Z]{2}/.test(text.slice(clear))) return clear;
  const doubtful = /(?<=[A-Z]{2})(?:<[KCL]|[KC]<)(?=[A-Z]{2})/.exec(text);
  if (doubtful) return doubtful[0].startsWith('<') ? doubtful.index : undefined;
  if (clear > 0) return clear;
  const single = text.indexOf('<');
  return single > 0 && /[A-Z]{2}/.test(text.slice(single)) ? single : undefined;
}

/** Cuts the run of letters that the last fillers were read as: "MARIAKKKKKK", "ANNA<KLKC". */
function withoutTail(text: string): string {
  const tail = new RegExp(`(?:([${FILLER_TWINS}])\\1{3,}|<[${FILLER_TWINS}<]*)$`).exec(text);
  return tail && tail.index > 0 ? text.slice(0, tail.index) : text;
}

const spaced = (text: string): string =>
  text
    .replace(/<+/g, ' ')
    .replace(/[^A-Z ]/g, '')
    .trim();

/** The name field of a document: `length` characters, refilled. */
export const nameField = ({ surname, given_names }: ZoneNames, length: number): string =>
  `${surname.replace(/ /g, '<')}<<${given_names.replace(/ /g, '<')}`.slice(0, length).padEnd(length, '<');
