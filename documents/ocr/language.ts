import type { Word } from '../types.ts';

/**
 * Frequent short words and business words of each language, without accents: readers of pictures drop them. Names, places
 * and numbers say nothing about the language of a page, so none are here.
 */
const MARKERS: Record<string, string> = {
  en: 'the of and to for is on by from your our with this that are not or at as be if will per date due amount invoice number payment please thank you order receipt balance address description quantity price customer page statement account subtotal change cash tax bill items delivery received goods agreement shall between party experience education skills authority nationality surname',
  de: 'der die das und fur von mit zum zur den dem des ist auf ein eine im am bei nicht wir sie ihre ihr bitte nach oder aus datum betrag summe zahlbar netto brutto mwst ust rechnung kunde lieferung bestellung menge preis gesamt zahlung konto steuer strasse tage gultig geburt vertrag lieferschein gutschrift kunden unsere werden wurde staatsangehorigkeit kasse bar ruckgeld kontoauszug saldo kontoinhaber parteien vertragsparteien berufserfahrung ausbildung kenntnisse verbrauch zahler unterschrift erhalten wohnhaft bescheinigt behorde vornamen uhr',
  fr: 'le la les de du des et pour en est par sur au aux une un dans vous nous votre notre avec ce cette ou ne pas date facture montant total tva ht ttc client commande livraison paiement prix quantite reference compte solde echeance merci numero designation adresse releve avoir conditions reglement nom prenom nationalite naissance ticket caisse especes rendu titulaire contrat parties experience formation competences consommation compteur bon signature jours domicile attestation certifions',
  es: 'el los las del de y para por en con una un su sus al se que es no este esta fecha factura importe iva numero cliente pedido entrega pago precio cantidad cuenta saldo descripcion gracias direccion vencimiento base imponible proveedor nombre apellidos periodo concepto nacionalidad nacimiento recibo titular extracto contrato partes experiencia formacion calle entregado efectivo cambio consumo lectura caducidad albaran',
  it: 'il lo gli di del della dei delle e per in con una un al alla che non si da nel data fattura importo totale iva numero cliente ordine consegna pagamento prezzo quantita conto saldo descrizione grazie indirizzo scadenza imponibile fornitore partita codice documento spett nome cognome cittadinanza nascita contanti resto cassa estratto intestato contratto parti esperienza istruzione competenze consumo lettura trasporto firma giorni bolletta residenza certifica',
  nl: 'de het een en van voor op met in is te aan uw wij niet bij door of dit naar als datum factuur bedrag totaal btw nummer klant bestelling levering betaling prijs aantal rekening saldo omschrijving bedankt adres vervaldatum leverancier subtotaal excl incl wordt onze ons per gelieve naam nationaliteit geboorte geboortedatum geldig afgegeven kassabon contant wisselgeld kassa overeenkomst partijen werkervaring opleiding vaardigheden verbruik meterstand rekeninghouder beginsaldo eindsaldo ontvangen handtekening geleverd dagen pakbon factuurnummer bestelnummer inkooporder rijbewijs ingeschreven woonplaats bankgegevens omschrijving',
  pt: 'o os as do da dos das de e para por em com uma um ao nao que se no na seu sua data fatura valor total iva numero cliente encomenda entrega pagamento preco quantidade conta saldo descricao obrigado morada endereco vencimento fornecedor contribuinte nome documento nota emissao nacionalidade nascimento validade recibo talao troco dinheiro extrato titular contrato partes experiencia formacao consumo leitura guia remessa credito rua assinatura recebido levantamento',
  af: 'die en van vir op met is nie te wat ons u ek word sal deur aan asseblief binne bedrag totaal btw faktuur nommer klient bestelling aflewering betaling prys hoeveelheid rekening saldo beskrywing dankie adres vervaldatum verskaffer betaalbaar verskuldig datum hierdie ooreenkoms ontvang straat kontant geboortedatum nasionaliteit geldig kwitansie kleingeld kassier bankstaat rekeninghouer openingsbalans sluitingsbalans partye werkservaring opvoeding vaardighede verbruik meterlesing afleweringsnota handtekening dae bestelnommer faktuurnommer rekeningnommer woonadres woonagtig bevestig hierby tydperk eenheidprys goedere geagte rybewys',
  ms: 'dan yang di ke dari untuk dengan ini itu tidak pada atau adalah oleh kepada sila anda kami tarikh jumlah invois resit nombor pelanggan pesanan penghantaran bayaran harga kuantiti akaun baki keterangan terima kasih alamat cukai pembekal nama tunai perjanjian bil caj tempoh hari bulan tahun lahir warganegara luput lesen memandu kad pengenalan baki kaunter juruwang penyata pemegang tandatangan diterima pihak pengalaman kerja pendidikan kemahiran meter bacaan penggunaan elektrik mengesahkan bahawa surat beralamat menetap perkhidmatan',
};

/** Letters that few of these languages write. */
const LETTERS: [pattern: RegExp, languages: string[]][] = [
  [/ß/u, ['de']],
  [/[äöü]/iu, ['de']],
  [/[ñ¿¡]/iu, ['es']],
  [/[ãõ]/iu, ['pt']],
  [/ç/iu, ['fr', 'pt']],
  [/[êâîûœ]/iu, ['fr', 'pt', 'af']],
  [/[éè]/iu, ['fr', 'it']],
  [/[àìòù]/iu, ['it', 'fr']],
  [/[áíóú]/iu, ['es', 'pt']],
];

/** Words of this length are found inside longer ones too: Rechnung in Rechnungsnummer, thank in THANKYOU. */
const COMPOUND = 6;
/** One word repeated says no more than this many times as much as once. */
const REPEATED = 3;
/** A page with less evidence than this is taken to be English. */
const ENOUGH = 2;
/** English words stand on pages of every language, and few others on English ones. */
const FOREIGN_LEAD = 0.9;
const FALLBACK = 'en';

interface Marker {
  text: string;
  /** A word of many languages says little about which of them it is. */
  weights: Map<string, number>;
}

const markers = buildMarkers();

function buildMarkers(): Marker[] {
  const owners = new Map<string, string[]>();
  for (const [language, words] of Object.entries(MARKERS)) {
    for (const word of new Set(words.split(' '))) owners.set(word, [...(owners.get(word) ?? []), language]);
  }
  return [...owners].map(([text, languages]) => ({
    text,
    weights: new Map(languages.map((language) => [language, 1 / languages.length ** 1.5])),
  }));
}

const exact = new Map(markers.map((marker) => [marker.text, marker]));
const long = markers.filter(({ text }) => text.length >= COMPOUND);

/** ISO 639-1 code of the language whose words and letters a page has most of: en, de, fr, es, it, nl, pt, af or ms. */
export function detectLanguage(words: Word[]): string {
  const scores = new Map<string, number>();
  const add = (language: string, weight: number): void =>
    void scores.set(language, (scores.get(language) ?? 0) + weight);
  for (const [text, count] of plainWords(words)) {
    const marker = exact.get(text) ?? long.find((one) => text.length > one.text.length && text.includes(one.text));
    for (const [language, weight] of marker?.weights ?? []) add(language, weight * Math.min(REPEATED, count));
  }
  for (const [pattern, languages] of LETTERS) {
    const hits = words.filter((word) => pattern.test(word.text)).length;
    for (const language of languages) add(language, Math.min(REPEATED, hits) / languages.length ** 1.5);
  }
  const [best] = [...scores].sort((a, b) => b[1] - a[1]);
  if (!best || best[1] < ENOUGH) return FALLBACK;
  return best[1] * FOREIGN_LEAD >= (scores.get(FALLBACK) ?? 0) ? best[0] : FALLBACK;
}

/** Lower-case words without accents, and how often each occurs. */
function plainWords(words: Word[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) {
    const plain = word.text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
    for (const text of plain.match(/\p{L}+/gu) ?? []) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}
