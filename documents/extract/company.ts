/** Legal forms: the surest mark of a company's name. Malaysia's is spelled as OCR tends to misread it. */
const LEGAL_FORM =
  /\b(?:s[deo0b]n\.?,?\s*[b38r]\s?[hn]d?d?\b|s\/b\b|bhd\b|ltd\b|limited\b|plc\b|llc\b|llp\b|plt\b|inc\b|corp(?:oration)?\b|gmbh\b|ag\b|kg\b|ohg\b|ug\b|e\.?k\.|sarl\b|s\.?a\.?r\.?l|sas\b|s\.a\.|s\.l\.?(?:u\.)?(?=\s|$|,)|lda\b|pte\b|a\.?b\.(?=\s|$)|s\.?r\.?l\b|s\.?p\.?a\b|b\.?v\.?(?=\s|$|,)|n\.v\.|pty\b|co\.|cc\b|oy\b|aps\b|a\/s\b|s\.?n\.?c\.(?=\s|$|,)|s\.\s?r\.\s?o\b|a\.s\.(?=\s|$|,)|sp\.?\s?z\s?o\.?\s?o\b|kft\b|zrt\b|nyrt\b|d\.\s?o\.\s?o|uab\b|l\.l\.c\b|ltda\b|unipessoal\b|eirl\b|ges\.?m\.?b\.?h|s\.c\.(?:a|c)\b|fz[ec]o?\b|bvba\b|tbk\b|a\.ş\.?|ltd\.?\s?şti)/i;
/** Short forms that are words of other languages unless they stand in capitals at the end of a name. */
const SHORT_FORM = /\s(?:AB|AS|ASA|NV|BV|SA|SE|OG|ApS|Oy|Oyj|OÜ|AD|ME|EPP|SNC|SCI|nv|bv|eG)(?:\s\(publ\))?$/;
const BUSINESS_WORD =
  /\b(?:enterprise|trading|restaurant|restoran|kedai|pasar(?:aya|mini)?|mart|market(?:ing)?|supermarket|hypermarket|store|shop|cafe|café|coffee|bakery|bistro|stationery|hardware|electrical|pharmacy|farmasi|book|perniagaan|syarikat|company|auto|motor|services?|station|petrol|petronas|shell|caltex|esso|florist|handicraft|supply|suppliers|industr(?:y|ies)|holdings|group|kopitiam|hotel|salon|clinic|klinik|gift|deco|gourmet|kitchen|seafood|food|house|sports?|home|centre|center|machinery|engineering|solutions|consulting|systems|grill|pizza|burger|deli|bar|cash\s*(?:&|and)\s*carry|pizza|tea)\b/i;

/** Words that shops and companies are called by, to repair what was misread of them. */
export const businessWords = new Set(
  (
    'enterprise enterprises trading restaurant restoran restaurante ristorante market marketing supermarket supermarkt hypermarket store stores shop ' +
    'cafe coffee bakery bakeries bakkerij bäckerei boulangerie bistro stationery hardware electrical pharmacy farmasi farmacia apotheke book books ' +
    'perniagaan syarikat company automobile services service station petrol florist handicraft tailoring supply supplies suppliers industry ' +
    'industries holdings group kopitiam hotel salon clinic klinik gourmet kitchen seafood foods sports centre center machinery ' +
    'engineering solutions consulting systems distributor distributors communications telecommunications advertising development construction ' +
    'technology international corporation limited berhad'
  ).split(' '),
);

export const hasLegalForm = (text: string): boolean => LEGAL_FORM.test(text) || SHORT_FORM.test(text);
/** "& Co." alone is part of many trade names, and no legal form. */
export const hasStrongLegalForm = (text: string): boolean => hasLegalForm(text.replace(/&\s*co\b\.?/gi, ' '));
export const hasBusinessWord = (text: string): boolean => BUSINESS_WORD.test(text);

/** A company's registration number, in brackets or alone: (81497-P), 002065464-X, JM0325955-V. */
export const REGISTRATION_NUMBER =
  /[([<{]\s?[\dA-Z. ]{0,3}[\dOISB ]{4,}[\s-]*[A-Z\d]{0,3}\s?[)\]>}]?|\b[A-Z]{0,3}\d{5,}\s?-\s?[A-Z\d]\b/;

/** "Owned by: X": X owns the shop, and is its name only where nothing else is. */
export const OWNER_LABEL =
  /^\W*(?:inh(?:aber(?:in)?)?\.?|inhaber(?:in)?|prop(?:rietor)?\.?|titular|g[ée]rante?|own(?:ed)? by|dimil[il1]ki(?: oleh)?|operated by|managed by|by)\b\s*:?\s*/i;

/** Behind the legal form a token with digits is what is left of the registration number: "Sdn Bhd 7e705-H". */
const AFTER_LEGAL_FORM =
  /\b(bhd\.?|ltd\.?|limited|gmbh|plc|inc\.?|llc|b\.v\.|s\/b)\s*[([<{]?[\w.]*\d[\w.-]*\s?-?\s?\w?\s?[)\]>}]?$/i;

/** The name without registration numbers and stray marks, its legal form spelled right. */
export function cleanCompanyName(text: string): string {
  return text
    .replace(OWNER_LABEL, '')
    .replace(/^#\d+\s+/, '')
    .replace(/\s+(?:bill(?:ed)?|ship|sold)\s+to\W*$/i, '')
    .replace(/\s*(?:company|co\.?|reg(?:istration)?\.?)\s*(?:reg)?\.?\s*(?:no|number)\b.*$/i, '')
    .replace(/\s*[([<{]\s?(?=[^)]*\d)[\dA-Za-z ./-]{5,}\s?[)\]>}]?\s*$/, '')
    .replace(/\s+[A-Z]{0,3}\d{5,}\s?[-.]?\s?[A-Za-z\d]\s*$/, '')
    .replace(/(?<=\p{Lu})0(?=\p{Lu}|[.\s]|$)/gu, 'O')
    .replace(/\b[s5](?:[deo0b]n|\w{2})\.?,?\s*[b38r]\s?(?:[hn]d|h[il1!]d)\b/i, (form) =>
      /^s[a-z]/.test(form) ? 'sdn bhd' : /^[S5][a-z]/.test(form) ? 'Sdn Bhd' : 'SDN BHD',
    )
    .replace(/\b(s)\.?\s(bhd)\b/i, (form) => (/^s/.test(form) ? 'sdn bhd' : /d$/.test(form) ? 'Sdn Bhd' : 'SDN BHD'))
    .replace(/\bSDN BHD(?=[A-Z])/, 'SDN BHD ')
    .replace(AFTER_LEGAL_FORM, '$1')
    .replace(/\bS\/[R8E]$/, 'S/B')
    .replace(/^[\s.,:;*|'"~=_-]+|[\s,:;*|'"~=_-]+$/g, '')
    .replace(/\s+/g, ' ');
}

/** Consists of legal forms, brackets and business words only: it continues the name of the line before. */
export function isNameTail(text: string): boolean {
  const rest = text
    .replace(new RegExp(LEGAL_FORM.source, 'gi'), ' ')
    .replace(new RegExp(BUSINESS_WORD.source, 'gi'), ' ')
    .replace(/\((?:m|malaysia|kl|pg)\)/gi, ' ')
    .replace(REGISTRATION_NUMBER, ' ');
  return (hasLegalForm(text) || hasBusinessWord(text)) && (rest.match(/\p{L}/gu)?.length ?? 0) <= 2;
}
