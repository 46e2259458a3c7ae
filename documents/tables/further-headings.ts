import type { ColumnKind } from './column-kind.ts';

/**
 * More headings, written like those in `headings.ts`: units and currencies as the only heading of a column, and Czech,
 * Slovak, Polish, Hungarian, Romanian, Swedish, Danish, Norwegian, Finnish, Turkish, Croatian and Slovene.
 */
export const FURTHER_HEADINGS: Partial<Record<ColumnKind, string>> = {
  position: `poř/poř č/p č/č/číslo/lp/l p/ssz/nr crt/sıra/sıra no/r br/rb/zap št/löpnr`,
  sku: `kód/katalogové číslo/číslo zboží/kód zboží/symbol/pkwiu/indeks/cikkszám/termékkód/vtsz/cod produs/cod articol/art nr/varenr/varenummer/prod nr/tuotenro/
    tuotekoodi/tuotenumero/koodi/stok kodu/ürün kodu/šifra/šifra artikla/nº art/art n/nº artículo/cód artigo`,
  description: `označení dodávky/označení/název/název položky/popis/popis zboží/položka/předmět/předmět plnění/zboží/služba/text/označenie/názov/názov položky/predmet/
    nazwa usługi/nazwa towaru lub usługi/nazwa towaru usługi/nazwa towaru usługi/towar usługa/towar/usługa/tytuł/przedmiot/opis/
    megnevezés/termék megnevezése/termék/szolgáltatás/termék szolgáltatás megnevezése/leírás/cikk/cikk megnevezése/
    denumire/denumirea/denumirea produselor/denumirea produselor sau serviciilor/denumire produs/produs/serviciu/descriere/
    specifikation/specifikasjon/avser/varenavn/vare ydelse/ydelse/betegnelse/produktnavn/varubenämning/tjänst/tjeneste/
    kuvaus/tuote/nimike/selite/tuotenimi/tuotteen nimi/palvelu/açıklama/mal hizmet/ürün/hizmet/cinsi/ürün adı/ürün hizmet/malzeme hizmet açıklaması/
    naziv/naziv robe/naziv artikla/naziv robe usluge/artikl/usluga/opis usluge/storitev/blago/blago storitev/vrsta blaga storitve/
    work done/arbeit/arbeit material/material arbeit/tätigkeit/position leistung/leistung material/lavoro/lavorazione/trabajo/trabajos/travaux/nature des travaux/
    discriminação/discriminação dos serviços/descrição dos serviços/descrição do produto/especificação/designação do artigo`,
  quantity: `množství/množstvo/počet/počet ks/počet mj/ks/množ/szt/ilość szt/mennyiség/menny/db/cantitate/antal st/lev antal/levererat/kvantitet/antall stk/määrä/
    kpl/lkm/toimitettu/miktar/adet/količina/kol/kom/količ/m3/m²/kwh/hl/kg/tonnes/tons/ltr/nights/nuits/noches/notti/nächte/sessions/km/miles/persons/pax/no off/
    this drop/qty this drop/despatched/supplied/sent/qty sent/to deliver/geliefert/gel menge/bestellt/livré/entregado/consegnato/entregue/consumption/volume/consommation/
    consumo/verbrauch/verbruik/einheiten/nº uds/nº horas/n ore/q tt à/pzas/piezas/peças/pçs`,
  unit: `mj/jednotka/m j/jedn/j m/miara/mértékegység/egység/m e/jednostka/enhed/enh/yks/yksikkö/birim/jedinica/em/enota/mera/jed mj/jedinica mjere/mjerna jedinica/un medida/unid/uni/un`,
  unit_price: `cena za mj/cena za jednotku/jednotková cena/cena bez dph/cena mj/j cena/jedn cena/cena jedn/cena za mj bez dph/cena jedn netto/cena j netto/cena jednostkowa netto/
    egységár/nettó egységár/egys ár/ár/preț unitar/preț/preț unit/pret unitar fără tva/enhetspris ex moms/st pris/styk pris/pris stk/pris pr stk/pris pr enhed/pris per enhet/
    pris eks mva/pris ex moms/à hinta/yksikköhinta/hinta/a hinta/yks hinta/birim fiyat/birim fiyatı/fiyat/cijena/jed cijena/jedinična cijena/cijena bez pdv/cena enote/
    @/à/ansatz/à eur/a eur/à chf/unit ex/price ex/each ex/each excl/price excl/unit excl/prix m3/prix €m3/prix kwh/eur kwh/preis kwh/precio kwh/pr unitário/
    pr unit/p unit/price gbp/price usd/price aud`,
  discount: `sleva/sleva %/zľava/kedvezmény/reducere/alennus/ale %/indirim/iskonto/popust/rabat %/desc %/dto %/sc %/korting %`,
  tax_rate: `dph/dph %/sazba/sazba dph/sadzba dph/% dph/stawka/áfa/áfa %/áfa kulcs/cota tva/alv/alv %/kdv/kdv %/kdv oranı/pdv/pdv %/ddv/ddv %/mva/mva %/iva %/tipo/taux`,
  tax: `částka dph/výše dph/suma dph/podatek/podatek vat/áfa összeg/áfa érték/valoare tva/momsbelopp/momsbeløb/mva beløp/alv määrä/kdv tutarı/iznos pdv/znesek ddv/tax €`,
  total: `celkem/celkem bez dph/cena celkem/cena celkem bez dph/základ/základ daně/spolu/spolu bez dph/cena spolu/wartość netto/wart netto/kwota netto/razem netto/
    nettó ár/nettó érték/nettó összeg/nettó/érték/összesen/valoare/valoare fără tva/val/radbelopp/nettobelopp/pris i alt/i alt/beløp eks mva/beløb i alt/nettobeløb/
    yhteensä/veroton/veroton summa/verotonyhteensä/tutar/tutarı/mal hizmet tutarı/toplam/iznos/vrijednost/ukupno/vrednost/znesek/iznos bez pdv/
    eur/euro/chf/fr/sfr/gbp/usd/aud/kshs/ksh/rs/inr/zar/sek/nok/dkk/pln/czk/credit ex/amount ex/line ex/line excl/valor eur/net eur/net €/totaal €`,
  gross: `celkem s dph/celkem vč dph/cena s dph/cena celkem s dph/spolu s dph/wart brutto/kwota brutto/bruttó/bruttó ár/bruttó érték/bruttó összeg/bruttó összesen/
    total cu tva/verollinen/verollinen summa/iznos s pdv/kdv dahil/inkl moms/inkl mva/belopp inkl moms`,
};
