import type { ColumnKind } from './column-kind.ts';
import { FURTHER_HEADINGS } from './further-headings.ts';

/**
 * Headings as they are printed in English, German, French, Spanish, Italian, Dutch, Portuguese and Afrikaans, and the
 * commonest of Polish, the Nordic languages and Malay. Compared without spaces, accents and signs, so "Unit-Price",
 * "UnitPrice" and "unit price" are one. A slash separates headings, a star marks a word that a reader often mistakes.
 */
const HEADINGS: Record<ColumnKind, string> = {
  position: `#/no/nr/num/line/line no/line number/ln/s no/s n/sr no/sl no/sno/srno/pos/posn/position/item no/item nr/lfd nr/lfd/
    pos nr/n°/nº/num ligne/ligne/linea/riga/regel/linha/reël/row/it/seq/pozycja/lp/bil`,
  sku: `code/item code/product code/stock code/part/part no/part number/part code/sku/article no/article number/article code/
    art no/art nr/artnr/artikelnr/artikel nr/artikelnummer/material/material no/product no/product id/product number/item id/
    item number/item #/model/model no/ref/réf/réf article/référence/référence article/codice/codigo/código/cod/cód/
    code article/code produit/produktcode/artikelcode/teilenummer/bestellnummer/bestell nr/hsn/hsn code/hsn sac/sac/upc/ean/
    catalogue no/catalog no/cat no/produkt nr/referencia/referência/riferimento/isbn/product ref/item ref/your ref/stock no/itemcode/
    codice articolo/kod/indeks/kode/part #/product #/part#/job code/referenzen/ean code/product sku`,
  description: `description/desc/descr/item/items/item description/item desc/items description/item name/product/products/
    product name/product description/product service/products services/service/services/service description/description of goods/description of
    services/goods/goods description/goods and services/goods services/details/detail/particulars/article/articles/activity/task/work/
    work description/job/job description/material description/name/item details/product details/transaction/transaction description/transaction
    details/narrative/narration/type/entry/entries/memo/remarks/charge/charges/fee description/
    beschreibung/bezeichnung/artikelbezeichnung/artikel/artikelbeschreibung/leistung/leistungen/leistungsbeschreibung/produkt/
    produktbezeichnung/text/buchungstext/vorgang/verwendungszweck/umsatz/art der leistung/warenbezeichnung/gegenstand/
    artikel bezeichnung/artikel beschreibung/bezeichnung leistung/dienstleistung/produktname/buchung/
    désignation/libellé/descriptif/produit/prestation/prestations/nature/opération/nature de l opération/détail/désignations/
    intitulé/nature des opérations/description des produits/
    descripción/concepto/detalle/producto/artículo/servicio/movimiento/operación/descripción del producto/concepto descripción/
    descrizione/prodotto/servizio/causale/articolo/descrizione operazione/descrizione articolo/dettaglio/operazione/beni servizi/
    omschrijving/product omschrijving/dienst/naam/mededeling/artikelomschrijving/omschrijving artikel/
    descrição/produto/serviço/histórico/artigo/movimento/designação/descritivo/discriminação/
    beskrywing/besonderhede/item beskrywing/produk/diens/transaksie/
    opis/nazwa/nazwa towaru/nazwa towaru lub usługi/beskrivelse/beskrivning/benämning/varebeskrivelse/tekst/vare/keterangan/butiran/perihal/nama barang/
    menu/dish/event/reason/role/course/room/comment/comments/treatment/procedure`,
  quantity: `qty/qnty/quantity/quantities/q ty/qty ordered/qty shipped/qty delivered/quantity ordered/quantity shipped/
    quantity delivered/qty dispatched/delivered/delivered qty/shipped/units/pcs/pieces/hours/hrs/hours worked/
    days/nos/no of units/number/count/order qty/ord qty/del qty/ship qty/ordered/no of pcs/requested qty/ordered quantity/
    delivered quantity/shipped quantity/billed qty/cartons/cases/boxes/sacks/bags/
    menge/anzahl/stück/stk/stückzahl/std/stunden/liefermenge/gelieferte menge/anz/bestellmenge/
    quantité/qté/qte/nombre/nb/nbre/qtés/heures/jours/quantité livrée/qté livrée/quantité commandée/
    cantidad/cant/cantidades/unidades/uds/ud/horas/cantidad entregada/ctd/
    quantità/qtà/q tà/q tá/ore/pezzi/qta/quantità consegnata/n pezzi/
    aantal/stuks/hoeveelheid/uren/aant/geleverd/aantal geleverd/besteld/
    quantidade/qtd/qtde/quant/qtd entregue/quantidade entregue/
    hoeveelheid/getal/ilość/antal/mängd/kuantiti/kuantitas/jumlah unit/antall/hvt/oty/aty/qiy`,
  unit: `um/uom/u m/unit of measure/units of measure/measure/einheit/einh/me/unité/u/unidad/unidad de medida/eenheid/unidade/enhet/jm/satuan/
    pack/pack size/size/per/unità/unità di misura/unit type/packaging/packing/verpakking/gebinde/colli/
    packung`,
  unit_price: `unit price/unit/price/price each/unit cost/cost/each/rate/u price/u p/up/p u/pu/unit rate/price unit/price per unit/per unit/
    hourly rate/unit value/list price/net price/net unit price/net unit/selling price/s price/sell price/sp/daily rate/rate hr/rate hour/rate per hour/cost each/
    unit cost price/price item/unit price net/item price/unit amount/price ea/
    einzelpreis/e preis/ep/preis/stückpreis/einheitspreis/preis pro einheit/preis einheit/nettopreis/einzelpreis netto/stundensatz/preis je einheit/
    einzel/epreis/e preis netto/preis stk/satz/einzelbetrag/
    prix/prix unitaire/prix unit/p unitaire/pu ht/p u ht/prix u/prix u ht/prix unitaire ht/pu net/tarif/taux horaire/prix/pv ht/
    precio/precio unitario/precio unit/precio ud/p unit/p unitario/importe unitario/precio unidad/tarifa/pvp/
    prezzo/prezzo unitario/prezzo unit/prezzo un/costo unitario/importo unitario/tariffa/
    prijs/stukprijs/eenheidsprijs/prijs per stuk/prijs per eenheid/p st/stuksprijs/tarief/prijs per/uurtarief/
    preço/preço unitário/preço unit/preço un/valor unitário/valor unit/vl unitário/p unitário/vlr unit/
    prys/eenheidsprys/prys per eenheid/prys elk/cena/cena jednostkowa/cena netto/cena jedn/pris/á pris/a pris/enhetspris/stykpris/enhedspris/
    harga/harga seunit/harga satuan/styckpris`,
  discount: `disc/discount/disc amt/discount amount/disc rate/disc/discount rate/less disc/rabatt/nachlass/skonto/remise/rem/descuento/dto/dcto/desc to/sconto/sc/korting/desconto/
    afslag/rabat/diskaun/diskon/discount or charge/allowance/rebate/ristourne`,
  tax_rate: `tax rate/vat rate/vat %/tax %/gst %/gst rate/tax code/vat code/tc/tax type/vat type/tax class/tax cat/ust %/mwst %/ust satz/mwst satz/steuersatz/
    taux tva/tva %/taux de tva/tipo iva/iva %/% iva/aliquota/aliquota iva/btw %/% btw/btw tarief/taxa iva/taxa/btw koers/stawka vat/vat stawka/moms %/cgst %/sgst %/igst %/
    %/tax percent/% vat/% tax/% ust/% mwst/% tva/% gst/sst %/tva/btw/iva/mwst/ust/vat/tax/gst/sst/vat tax/gst tax/tax vat/moms/sales tax/taxable/taxed`,
  tax: `tax amount/vat amount/gst amount/tax amt/vat amt/gst amt/sst amount/steuerbetrag/ust betrag/mwst betrag/montant tva/importe iva/cuota iva/importo iva/btw bedrag/valor iva/
    kwota vat/btw bedrag/sst amt/tax value/vat value/tax total/imposto/imposta/cuota/
    ust in eur/steuer`,
  total: `total/amount/line total/line amount/total amount/total price/amount excl/total excl/net amount/net/net total/ext price/extended price/extended/ext/extension/ext amount/
    extended amount/ext cost/value/total value/line value/sum/sub total/subtotal/item total/total cost/cost total/price total/total ex/amount ex/net value/taxable value/taxable amount/taxable amt/excl/
    goods value/charge amount/line net/line total net/total net/exclusive/excl tax/total line/nett/nett amount/nett price/amt/total amt/amount due/line cost/excl total/lines total/
    gesamt/gesamtpreis/gesamtbetrag/betrag/summe/nettobetrag/netto/g preis/gpreis/gp/gesamt netto/betrag netto/gesamtpreis netto/positionsbetrag/zeilenbetrag/wert/gesamtnetto/nettowert/positionssumme/warenwert/preis gesamt/total netto/
    montant/montant ht/total ht/prix total/prix ht/prix total ht/montant net/montant total/somme/total net ht/total ligne/montant ligne/
    importe/importe total/total línea/precio total/importe neto/base/base imponible/subtotales/
    importo/totale/prezzo totale/imponibile/importo totale/importo netto/totale riga/totale netto/valore/
    bedrag/totaal/totaal excl/totaalbedrag/bedrag excl/totaalprijs/regeltotaal/netto bedrag/totaal ex/bedrag ex/
    valor/valor total/preço total/montante/vl total/total líquido/valor líquido/vlr total/
    bedrag/totaal/totale bedrag/wartość/wartość netto/kwota/belopp/beløp/beløb/summa/sum/linjetotal/radsumma/jumlah/jumlah harga/
    total eur/total usd/total gbp/importe eur`,
  gross: `gross/gross amount/total incl/amount incl/incl/inclusive/total inc/total incl tax/total incl vat/total incl gst/amount incl vat/amount incl tax/incl total/total amt incl taxes/gross total/gross value/
    brutto/bruttobetrag/gesamt brutto/gesamtpreis brutto/betrag brutto/ttc/montant ttc/total ttc/prix ttc/prix total ttc/total con iva/importe con iva/totale ivato/totaal incl/prijs incl/bedrag incl/totaal incl btw/prijs incl btw/valor com iva/
    wartość brutto/nett incl/amount inc/amount inc gst/amount inc vat/inc vat/inc gst`,
  date: `date/posting date/post date/posted/posted on/transaction date/trans date/txn date/tran date/booking date/invoice date/doc date/document date/entry date/date posted/effective date/service date/date of service/issue date/
    date of transaction/processing date/
    datum/buchungstag/buchungsdatum/buchung/belegdatum/rechnungsdatum/tag/buch tag/
    date d opération/date opération/date comptable/date op/date facture/jour/
    fecha/fecha operación/fecha contable/f operación/fecha mov/fecha factura/fecha de operación/data/data operazione/data contabile/data registrazione/data fattura/
    boekdatum/boekingsdatum/transactiedatum/factuurdatum/data mov/data do movimento/data movimento/data lançamento/data operação/
    transaksiedatum/dato/bokföringsdag/bokføringsdato/data księgowania/tarikh/tanggal/data transakcji/data valor mov`,
  value_date: `value date/val date/valuta/wert/wertstellung/valutadatum/wertstellungsdatum/date de valeur/date valeur/valeur/fecha valor/f valor/data valuta/rentedatum/data valor/valör/rentedato/value dt`,
  due_date: `due date/due/date due/fällig/fälligkeit/fälligkeitsdatum/échéance/date d échéance/vencimiento/fecha vencimiento/scadenza/data scadenza/vervaldatum/vencimento/data de vencimento/betaaldatum/vervaldag/förfallodatum/forfald`,
  reference: `reference/reference no/ref no/ref number/reference number/ref #/document/document no/document number/document ref/doc no/doc/doc #/doc number/invoice/invoice no/invoice number/invoice #/inv no/inv #/inv/transaction no/transaction id/
    transaction ref/transaction reference/trans no/trans id/txn id/voucher/voucher no/cheque no/check no/chq no/cheque/check/check #/check number/cheque number/chq/chq no/our ref/order no/bill no/receipt no/customer ref/inv number/number ref/
    beleg/belegnr/beleg nr/belegnummer/rechnungsnr/rechnung nr/rechnungsnummer/rechnung/referenz/
    pièce/n° pièce/n pièce/facture/n° facture/n facture/facture n°/
    factura/nº factura/n factura/documento/nº documento/n documento/
    fattura/n fattura/n documento/rif/
    factuur/factuurnr/factuurnummer/factuur nr/referentie/kenmerk/
    fatura/nº fatura/nº documento/dokument/fakturanummer/fakturanr/faktura/verwysing/faktuurnr/faktuurnommer/bilagsnr/rujukan/no rujukan`,
  debit: `debit/debits/dr/withdrawal/withdrawals/withdrawn/paid out/money out/out/payments out/debit amount/debits dr/debit dr/payment amount/withdrawal amount/withdrawals debits/charges debits/payments/payment/debit amt/withdrawal amt/withdrawal dr/
    debits withdrawals/outgoing/spent/amount out/amount debited/paid outs/deduction/deductions/checks debits/withdrawals and debits/
    soll/lastschrift/belastung/ausgang/zu ihren lasten/lasten/ausgänge/belastungen/
    débit/débits/debito/débito/débitos/cargo/cargos/adeudos/salidas/dare/addebiti/addebito/uscite/af/bij af/uitgaven/debet/afgeschreven/saídas/debiete/debiet/onttrekkings/uitbetalings/uttak/wypłaty/obciążenia/ut/
    débit eur/débit euros/debe/debe eur/uit/ut av konto/keluar/pengeluaran`,
  credit: `credit/credits/cr/deposit/deposits/deposited/paid in/money in/in/payments in/credit amount/credit cr/credits cr/deposit amount/deposits credits/received/receipts/credit amt/deposit amt/deposit cr/credits deposits/incoming/lodgement/lodgements/
    amount in/amount credited/deposits and credits/additions/payments received/amount received/
    haben/gutschrift/gutschriften/eingang/zu ihren gunsten/eingänge/gunsten/
    crédit/crédits/crédito/créditos/abono/abonos/ingresos/entradas/avere/accrediti/accredito/entrate/bij/bijgeschreven/ontvangsten/kredit/krediet/deposito s/depositos/inbetalings/innskudd/wpłaty/uznania/in/
    crédit eur/crédit euros/haber/haber eur/masuk/simpanan`,
  amount: `amount debit credit/withdrawals deposits/deposits withdrawals/debit credit/debits credits/betrag soll haben/soll haben/umsatz eur/betrag in eur/montant en euros/amount usd/amount gbp/transaction amount/amount dr cr/bij af eur/paid in out/original amount/orig amount/invoice amount/doc amount/document amount/charges/charge/
    credit debit/in out/money in out/rechnungsbetrag/montant facture`,
  balance: `balance/running balance/account balance/closing balance/balance due/available balance/ledger balance/balance amount/cumulative balance/new balance/open balance/outstanding/outstanding balance/open amount/amount outstanding/daily balance/ending balance/ending daily balance/
    balance outstanding/bal/balance owing/running total/balance forward/
    saldo/kontostand/neuer saldo/offener betrag/offen/offener posten/solde/solde restant/reste dû/solde progressif/restant dû/solde en euros/saldo disponible/saldo contable/saldo pendiente/pendiente/saldo contabile/saldo finale/saldo disponibile/saldo na/saldo após/openstaand/openstaand bedrag/
    saldo contabilístico/saldo autorizado/uitstaande/uitstaande bedrag/saldo po operacji/baki/`,
  other: `notes/note/location/status/project/batch/batch no/weight/weight kg/serial no/lot/origin/page/warehouse/bin/branch/period/currency/ccy/cur/curr/days overdue/age/terms/
    gewicht/lager/colour/color/brand/marke/project no/back order/backorder/b o/back ordered/outstanding qty/remaining/country/category/customer/condition/extra chg/campaign/insurance/
    check box/checked/received/rcvd/qty received/ok/job no/allowances charges/line status/signature/initials`,
};

/** Signs, currencies and tax remarks behind a heading: "Amount (RM)", "Prix unitaire HT", "Betrag in EUR". */
const TAIL =
  /(?:in|en)?(?:rm|myr|eur|euros?|usd|gbp|zar|inr|rs|chf|sgd|aud|nzd|cad|r|sek|nok|dkk|pln|ht|horstaxes?|(?:ex|excl|exc)\.?(?:vat|tax|gst|btw|tva|mwst|ust|iva)?|net|netto|nett|dr|cr|each|kg|exvat|percent)$/;
const GROSS_TAIL =
  /(?:inc|incl|including|inclusive|inkl)(?:ofallt?|of)?(?:vat|tax|taxes|gst|btw|tva|mwst|ust|iva|sst)?$|ttc$|brutto$/;

/** Lower case, no accents, spaces or signs but % and #. */
export const flatten = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/ł/g, 'l')
    .replace(/ø/g, 'o')
    .replace(/[^\p{L}\p{N}%#]/gu, '');

const BY_TEXT = new Map<string, ColumnKind>();
for (const [kind, list] of [...Object.entries(HEADINGS), ...Object.entries(FURTHER_HEADINGS)]) {
  for (const heading of list.split('/')) {
    const flat = flatten(heading);
    if (flat !== '' && !BY_TEXT.has(flat)) BY_TEXT.set(flat, kind as ColumnKind);
  }
}

/** Words that a phrase of a heading has at most: "Date of transaction", "Prix unitaire HT en EUR". */
export const LONGEST_HEADING = 5;

/** The column that a heading names; undefined when it is none that we know. */
export function headingKind(text: string): ColumnKind | undefined {
  const flat = flatten(text);
  if (flat === '') return undefined;
  const exact = BY_TEXT.get(flat);
  if (exact !== undefined) return exact;
  const gross = flat.replace(GROSS_TAIL, '');
  if (gross !== flat && (gross === '' || ['total', 'unit_price'].includes(BY_TEXT.get(gross) ?? ''))) {
    return BY_TEXT.get(gross) === 'unit_price' && !/^(?:price|prijs|preis|prix)$/.test(gross) ? 'unit_price' : 'gross';
  }
  const stripped = flat.replace(TAIL, '');
  if (stripped !== flat && stripped.length >= 3) {
    const kind = BY_TEXT.get(stripped) ?? BY_TEXT.get(stripped.replace(TAIL, ''));
    if (kind !== undefined) return kind;
  }
  return (
    kindOfParts(text) ??
    (flat.length >= 6 ? (nearlyHeading(flat) ?? (/\s/.test(text) ? undefined : kindOfCompound(flat))) : undefined)
  );
}

/** "Rate/Price", "Hrs/Qty": headings of one column. */
function kindOfParts(text: string): ColumnKind | undefined {
  if (!text.includes('/')) return undefined;
  return text
    .split('/')
    .map((part) => BY_TEXT.get(flatten(part)))
    .find((kind) => kind !== undefined);
}

/** Compounds are formed freely in the Germanic languages: their last part says what they are. */
const COMPOUNDS: [RegExp, ColumnKind][] = [
  [/(?:steuer|btw|moms|ust|mwst)(?:betrag|bedrag|belopp)$/, 'tax'],
  [/(?:steuer|btw|moms|ust|mwst)(?:satz|tarief|sats)$/, 'tax_rate'],
  [/basis(?:betrag|menge)$/, 'other'],
  [/(?:preis|prijs|pris)$/, 'unit_price'],
  [/(?:betrag|bedrag|belopp|summe|summa)$/, 'total'],
  [/(?:bezeichnung|beschreibung|omschrijving|beskrivelse|beskrivning|description)$/, 'description'],
  [/^art(?:ikel)?(?:nr|nummer)/, 'sku'],
  [/(?:menge|anzahl)$/, 'quantity'],
];

const kindOfCompound = (flat: string): ColumnKind | undefined => COMPOUNDS.find(([pattern]) => pattern.test(flat))?.[1];

const BY_LENGTH = new Map<number, [string, ColumnKind][]>();
for (const [text, kind] of BY_TEXT) {
  if (text.length >= 6) BY_LENGTH.set(text.length, [...(BY_LENGTH.get(text.length) ?? []), [text, kind]]);
}

/** One letter misread, too many or too few. */
function nearlyHeading(flat: string): ColumnKind | undefined {
  for (const length of [flat.length, flat.length - 1, flat.length + 1]) {
    const found = BY_LENGTH.get(length)?.find(([text]) => withinOneEdit(text, flat));
    if (found) return found[1];
  }
  return undefined;
}

function withinOneEdit(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return Math.max(a.length, b.length) - start - end <= 1;
}
