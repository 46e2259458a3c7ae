/**
 * What letters that confirm a residence say, in English, German, French, Spanish, Dutch and Italian. Groups: `name`,
 * `address`.
 */
const NAME = String.raw`(?:(?:mr|mrs|ms|miss|dr|prof|herrn?|frau|m\.|mme|monsieur|madame|don|doña|sr\.?|sra\.?|de heer|mevrouw|dña\.?|d\.|sig\.?|signor[ae]?)\.?\s*(?:\/\s*\w+\.?\s*)?)*(?<name>\p{Lu}[\p{L}'’.-]+(?:\s+(?:(?:van|der|de|den|von|la|du|bin|binti|al)\s+)*\p{Lu}[\p{L}'’.-]*){1,4})`;
const LIVES = String.raw`(?<!\p{L})(?:currently\s+|presently\s+|has\s+been\s+|is\s+)?(?:resid(?:es|ing|ent|ed)|liv(?:es|ing)|domiciled|staying|registered|wohnhaft|wohnt|gemeldet|demeure|demeurant|domicili[ée]e?|r[ée]side(?:nt)?|reside|domiciliad[oa]|empadronad[oa]|vive|woont|woonachtig|ingeschreven|residente|situ[ée]e?)(?!\p{L})(?:\s+(?:en este municipio|in this municipality))?(?:\s+(?:at|in|on|under|à|au|en|te|op|unter|sis|a))*(?:\s+(?:the\s+)?(?:el\s+)?(?:following\s+)?(?:address|residence|adresse|anschrift|dirección|domicilio|adres|property)(?:\s+(?:of|is|at|below))?)?\s*[:,]?\s*`;

export const RESIDENCE = new RegExp(String.raw`${LIVES}(?<address>[\p{L}\d][^\n]{10,160})`, 'iu');
export const CONFIRMED_NAME = new RegExp(
  String.raw`\b(?:confirm(?:ation|s)?|certif(?:y|ies|ication)|declare|attest(?:s|e|ons|ent)?|verify|advise|bestätig(?:en|t)|bescheinig(?:en|t)|certif(?:ie|ions)|atteste|hace constar|certifica|verklaa?r(?:t|en)?|bevestig(?:t|en))\b[^.]{0,60}?\b(?:that|dass|daß|que|qu['’]|dat|che|hiermit)?\s*,?\s*${NAME}`,
  'u',
);
/** The address ends where the sentence goes on about something else. */
export const ADDRESS_END =
  /\s*(?:\.\s+(?=\p{Lu}\p{Ll})|\.\s*$|;|\bsince\b|\bfrom\b|\bfor\b|\band\s+(?:has|is|holds|that|his|her)\b|\bseit\b|\bdepuis\b|\bdesde\b|\bsinds\b|\bas\s+(?:of|per)\b|\bwith\s+(?:account|us)\b|\baccording\b|\bist\b|\bwohnt\b|\bgemeldet\b|\bhas\s+been\b|\bwho\b|\bunder\b\s+account|\b(?:R[ée]f[ée]rence|Cette|This|Account|Kundennummer|Customer)\b|\s(?=Y para|as per\b))/u;

export const labels = {
  familyName:
    /^\W*(?:familienname|nachname|surname|last\s*name|family\s*name|nom(?:\s*de\s*famille)?|apellidos?|achternaam|cognome)\s*[:.]\s*/iu,
  givenNames: /^\W*(?:vornamen?|given\s*names?|first\s*names?|pr[ée]noms?|nombre|voornamen?|nome)\s*[:.]\s*/iu,
  name: /^\W*(?:(?:full|customer|account\s*holder'?s?|account|client|resident'?s?|tenant'?s?|holder'?s?|patient|member|subscriber|policy\s*holder'?s?|taxpayer'?s?|owner'?s?)?\s*name(?:\s*of\s*(?:customer|resident|account\s*holder|tenant))?|account\s*holder|customer|resident|tenant|occupant|name,?\s*vorname|kunde|vertragspartner|familienname|nom(?:\s*et\s*pr[ée]nom)?|titulaire|client|titular|nombre(?:\s*y\s*apellidos)?|cliente|naam|klant|rekeninghouder|intestatario|nominativo)\s*[:.]\s*|^\W*(?:account\s*holder|customer\s*name|name\s*of\s*(?:customer|resident|account\s*holder)|full\s*name)\s+/iu,
  address:
    /^\W*(?:(?:service|supply|premises?|residential|physical|property|home|current|mailing|postal|registered|billing|customer|installation|street|permanent)\s*)*address(?:\s*of\s*(?:supply|residence|property))?\s*:?\s*|^\W*(?:premises|property|residence|place\s*of\s*residence|anschrift|adresse(?:\s*(?:du\s*logement|de\s*facturation))?|wohnanschrift|verbrauchsstelle|lieferstelle|lieu\s*de\s*consommation|domicilio|direcci[oó]n(?:\s*de\s*suministro)?|adres|leveringsadres|verbruiksadres|indirizzo(?:\s*di\s*fornitura)?)\s*[:.]\s*/iu,
  date: /\b(?:date(?:\s*(?:of\s*(?:issue|letter|statement)|issued))?|(?:statement|bill(?:ing)?|invoice|issue|letter|print(?:ed)?)\s*date|issued(?:\s*on)?|dated|\bden|datum|ausstellungsdatum|rechnungsdatum|date\s*d['’]émission|le|fecha(?:\s*de\s*emisi[oó]n)?|data|dagtekening)\b\W*$/iu,
  account:
    /\b(?:account|customer|client|policy|contract|member(?:ship)?|reference|meter\s*point|municipal\s*account|rates\s*account|consumer|kunden|vertrags|konto|kontrakt|abonn[ée]|cuenta|contrato|klant|rekening|cliente|contratto|buchungszeichen)[\s-]*(?:no\b\.?|n[°ºo]\b\.?|nr\b\.?|num(?:ber|mer|éro|ero)?|nummer|id\b|ref(?:erence)?\b\.?|#|konto)*\s*[:.#]?\s*|\b(?:iban|n[°ºo]\s*(?:de\s*)?(?:compte|client|contrat))\b\s*[:.]?\s*/giu,
} as const;
