/**
 * What documents call themselves, in the languages of the countries we know customers in. Written for `foldedPattern`:
 * lower case, no accents, a space may be missing. A pattern names the thing, not the line: what may stand around it in a
 * title is decided in `title-features.ts`.
 */
export const titles = {
  invoice: [
    String.raw`(?:tax|commercial|vat|gst|sales|final|proforma|pro-forma|service|interim|recurring|electronic|e-?|customer)? invoice(?! (?:date|no|number|#))`,
    String.raw`\b[a-z]*-?(?<!strom)(?<!gas)(?<!wasser)(?<!telefon)(?<!storno)rechnung(?!s|e)`,
    'facture(?! d.avoir)(?! rectif)',
    String.raw`factura(?! rectif)(?! simpl)`,
    'fattura',
    String.raw`(?<!credit)factuur`,
    'fatura',
    'faktuur',
    'invois',
    String.raw`faktura(?! koryg)|honorarnote|note d.honoraires|nota de honorarios|parcella|szamla\b|danovy doklad|\blasku\b|\bracun\b`,
  ],
  receipt: [
    String.raw`(?:official|sales|cash|payment|your|customer|merchant|guest|store|tax|electronic|e-)? (?<!(?:on|of|by|against) )receipt`,
    String.raw`cash (?:bill|sales?|memo)|guest (?:check|copy)|simplified (?:tax )?invoice|sales slip|customer copy|merchant copy|till slip|rental receipt`,
    String.raw`quittung|kassenbon|kassenbeleg|kundenbeleg|bewirtungsbeleg|barverkauf|\bbon-?nr`,
    String.raw`recu de (?:paiement|caisse)|ticket de caisse|\brecu\b|ticket client|note de restaurant`,
    String.raw`factura simplificada|ticket de (?:compra|venta)|\brecibo\b(?! de (?:luz|agua|gas))|comprobante`,
    'scontrino|documento commerciale|ricevuta fiscale',
    String.raw`kassabon|kassaticket|pinbon|betaalbewijs`,
    'talao de venda|fatura simplificada|fatura-recibo|cupom fiscal|nfc-e',
    String.raw`kwitansie|kontantstrokie|\bresit\b|bil tunai|jualan tunai|kvittering|kvitto|paragon fiskalny`,
  ],
  credit_note: [
    'credit (?:note|memo|memorandum|invoice|advice)|refund note|return note|adjustment note',
    'gutschrift|rechnungskorrektur|stornorechnung|korrekturrechnung',
    String.raw`\bavoir\b|note de credit|facture d.avoir|facture rectificative`,
    String.raw`nota de (?:credito|abono)|factura rectificativa|factura de abono|^\W*abono\W*$`,
    'nota di (?:credito|accredito)|nota de credito',
    'creditnota|credit-?nota|creditfactuur|kreditnota|kredietnota|nota kredit|kreditfaktura|faktura koryg|dobropis|helyesbito szamla|hyvityslasku',
  ],
  purchase_order: [
    'purchase order|order form|order confirmation|sales order|work order|blanket order|order acknowledgement|order change|purchase requisition',
    String.raw`bestellung(?! vom)|bestellschein|bestellformular|auftragsbestatigung|kaufauftrag|abrufbestellung`,
    'bon de commande|commande (?:client|fournisseur|d.achat)|confirmation de commande',
    'orden de compra|pedido de compra|hoja de pedido|nota de pedido',
    String.raw`ordine d.?i?.?acquisto|ordine fornitore|conferma d.ordine|buono d.ordine`,
    'inkooporder|bestelbon|bestelling|inkoopbestelling|aankoopbestelling|bestelvorm|orderbevestiging',
    'ordem de compra|nota de encomenda|pedido de compra|encomenda a fornecedor',
    'pesanan belian|pesanan tempatan|borang pesanan|order-x|innkjopsordre|inkopsorder|zamowienie|objednavka|megrendeles',
  ],
  delivery_note: [
    String.raw`delivery (?:note|docket|order|slip|receipt|advice|ticket|challan)|packing (?:slip|list|note)|dispatch (?:note|advice)|despatch (?:note|advice)|shipping (?:note|list|docket)|goods (?:received|dispatch(?:ed)?|delivery) note|way ?bill|advice of dispatch|proof of delivery|consignment note|bill of lading`,
    'lieferschein|warenbegleitschein|packzettel|packliste|frachtbrief',
    'bon de livraison|bordereau (?:de livraison|d.expedition)|note de livraison|lettre de voiture',
    'albaran|nota de entrega|guia de remision|carta de porte|lista de empaque',
    String.raw`documento di trasporto|\bd\.?d\.?t\.?\b|bolla di (?:consegna|accompagnamento)|lista di imballaggio`,
    'pakbon|leveringsbon|afleverbon|vrachtbrief|paklijst|afleweringsnota|afleweringsbrief',
    'guia de (?:remessa|transporte)|nota de remessa|romaneio|nota penghantaran|pesanan penghantaran|folgeseddel|foljesedel',
  ],
  statement: [
    String.raw`(?:account|monthly|client|customer|debtors?|creditors?|supplier|vendor|trade|your|loan|savings|cheque|current|business|credit card|card|bank|combined|consolidated|e-)* statement(?: of (?:(?:your )?accounts?|transactions|activity))?(?! of (?:work|purpose|claim|facts))`,
    'kontoauszug|kontoubersicht|rechnungsubersicht|offene.?posten.?liste|saldenbestatigung|kontoblatt|umsatzubersicht|mahnung',
    'releve (?:de|d.un|client|bancaire|fournisseur|mensuel)? ?(?:compte|operations|factures)?|extrait de compte|etat de compte',
    'estado de cuenta|extracto (?:de|bancario)|extracto de cuenta|relacion de facturas',
    'estratto ?conto|situazione contabile',
    'rekeningoverzicht|rekeningafschrift|openstaande posten|bankafschrift|rekeningstaat|bankstaat|dagafschrift',
    'extrato (?:de conta|bancario|conta)|conta corrente|penyata (?:akaun|bank|bulanan)|kontoutskrift|kontoutdrag|wyciag',
  ],
  bill: [
    String.raw`(?:electric(?:ity)?|energy|gas|water|utility|utilities|telephone|phone|internet|broadband|mobile|power|sewer(?:age)?|wastewater|heating|council tax|rates|municipal|cable|wireless|fibre|fiber|trash|waste|refuse) (?:(?:&|and) [a-z]+ )?(?:service )?(?:bill|statement|account|tax invoice|invoice)`,
    String.raw`\byour (?:\w+ )?bill\b|\bbill (?:for|summary|statement)\b|\bmonthly bill\b|municipal account|rates (?:and taxes|account|notice)`,
    String.raw`(?:strom|gas|wasser|energie|heizkosten|telefon|mobilfunk|internet|abwasser|fernwarme)-?(?:ab)?rechnung|jahresabrechnung|verbrauchsabrechnung|gebuhrenbescheid`,
    String.raw`facture (?:d.)?(?:electricite|energie|eau|gaz|de gaz|d.eau|mobile|internet|telephone)|votre facture`,
    String.raw`(?:factura|recibo) (?:de |del )?(?:la )?(?:luz|electricidad|agua|gas|telefono|energia|suministro)`,
    String.raw`bolletta|fattura (?:luce|gas|energia)`,
    String.raw`energienota|energierekening|waterrekening|jaarafrekening|jaarnota|elektriciteitsrekening|gasrekening|munisipale rekening|belasting en dienste`,
    String.raw`(?:fatura|conta|factura) (?:de |da )?(?:luz|agua|energia|eletricidade|gas|comunicacoes|telefone)|bil (?:elektrik|air|telefon|utiliti|internet)`,
  ],
  contract: [
    String.raw`(?:agreement|contract)\b(?! (?:no|number|date|account|#))`,
    String.raw`terms of (?:engagement|reference)|memorandum of understanding|letter of intent|deed of|\bnda\b|statement of work|addendum|lease\b`,
    String.raw`\b[a-z]*vertrag\b|vereinbarung`,
    String.raw`\bcontrat\b|accord de|convention de`,
    String.raw`\bcontrato\b|acuerdo de|convenio`,
    String.raw`\bcontratto\b|accordo di|scrittura privata`,
    String.raw`\b[a-z]*overeenkomst\b|\b[a-z]*ooreenkoms\b`,
    String.raw`acordo de|perjanjian`,
  ],
  resume: [
    String.raw`curriculum (?:vitae|vite)|\bresume\b|\bcv\b|bio-?data`,
    String.raw`lebenslauf|europass|hoja de vida|levensloop`,
  ],
  passport: [
    String.raw`pass ?port(?! (?:no|number|size|photo))|passe ?port|pasaporte|passaporto|paspoort|passaporte|reise ?pass|pasport|vegabref|paszport|pasi\b|cestovni pas|putovnica|\bpass\b|\butlevel\b`,
  ],
  id_document: [
    String.raw`identi(?:ty|fication) (?:card|document|book)|\bid ?card\b|national (?:id|identity)|resident(?:ial)? (?:card|permit|identity)|residence (?:card|permit)|permanent resident|alien registration|smart id`,
    String.raw`personalausweis|aufenthaltstitel|carte (?:nationale )?d.identite|titre de sejour|carte de sejour`,
    String.raw`documento nacional|cedula de (?:ciudadania|identidad)|carta d.identita|identiteitskaart|verblijfs(?:titel|vergunning)|cartao de cidadao|carteira de identidade|kad pengenalan|mykad|identiteitsdokument|osebna izkaznica|carte de identitate|dowod osobisty|obcansky prukaz|henkilokortti|tapjatvany|identitetskort|isikutunnistus`,
  ],
  drivers_license: [
    String.raw`driv(?:er|ing)(?:'?s?'?)? (?:licen[cs]e|permit|lic)|driver licen[cs]e|operator licen[cs]e|licen[cs]e to drive|carta de conducao|carteira (?:nacional )?de habilitacao`,
    String.raw`fuhrerschein|permis de conduire|permiso de conduc|licencia de conduc|patente di guida|rijbewijs|rybewys|lesen memandu|korkort|kjorekort|korekort|prawo jazdy|vozacka dozvola|ridicsky prukaz|vezetoi engedely`,
  ],
  proof_of_address: [
    String.raw`proof of (?:address|residence|residency|domicile)|(?:confirmation|certificate|verification|declaration|affidavit) of (?:\w+ )?(?:address|residence|residency|domicile)|(?:address|residence|residency) (?:confirmation|verification|certificate|letter|proof)|to whom it may concern`,
    String.raw`meldebescheinigung|meldebestatigung|wohnsitzbestatigung|wohnungsgeberbestatigung|adressbestatigung|wohnsitzbescheinigung`,
    String.raw`(?:justificatif|attestation|certificat) de (?:domicile|residence|logement)`,
    String.raw`(?:certificado|comprobante|constancia|volante|justificante) de (?:empadronamiento|domicilio|residencia)`,
    String.raw`certificato di residenza|attestazione di residenza|autocertificazione di residenza`,
    String.raw`uittreksel|bewijs van (?:adres|woonplaats|inschrijving)|adresbevestiging|woonplaatsverklaring|bewys van (?:adres|verblyf)|bevestiging van (?:adres|woonadres)`,
    String.raw`comprovativo de (?:morada|residencia)|comprovante de (?:residencia|endereco)|atestado de residencia|bukti alamat|pengesahan alamat|surat pengesahan`,
  ],
} satisfies Record<string, string[]>;

export type TitleName = keyof typeof titles;
