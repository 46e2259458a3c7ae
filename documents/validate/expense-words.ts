/**
 * Kinds of expense: what lines of invoices call them, and what charts of accounts call the account (English, German,
 * French, Spanish, Dutch, Italian, Portuguese). Word beginnings, without accents: "versicher" is Versicherung and
 * Versicherungsbeitrag.
 */
export interface ExpenseKind {
  name: string;
  /** Of lines. */
  lines: string;
  /** Of accounts; words of lines count, too. */
  accounts: string;
}

export const expenseKinds: ExpenseKind[] = [
  {
    name: 'fuel',
    lines: 'fuel diesel petrol unleaded gasoline benzin kraftstoff carburant gasoil essence gasolina brandstof benzina',
    accounts: 'fuel vehicle motor kfz fahrzeug vehicul carburant combustible',
  },
  {
    name: 'vehicle',
    lines:
      'tyre tire lubricant brake oil-change car-wash toll parking reifen maut peage pneu neumatico parkplatz parkeren',
    accounts: 'vehicle motor car kfz fahrzeug vehicul auto',
  },
  {
    name: 'travel',
    lines:
      'flight airfare airline train taxi uber hotel lodging accommodation room-night bahn flug ubernachtung vol billet vuelo alojamiento trein vlucht volo albergo viaje',
    accounts: 'travel reise voyage deplacement viaje reis viaggi accommodation',
  },
  {
    name: 'meals',
    lines:
      'meal lunch dinner breakfast restaurant coffee beverage drink food catering burger pizza sandwich tea essen getrank repas boisson comida bebida maaltijd pranzo cena refeicao',
    accounts:
      'meal entertainment refreshment food catering bewirtung repas restauration comida representacion hospitality',
  },
  {
    name: 'office',
    lines:
      'paper pen toner cartridge stapler envelope stationery folder notebook marker binder papier ordner stift fourniture papeterie papel boligrafo kantoor cancelleria',
    accounts: 'office stationery printing buro fourniture material-oficina oficina kantoor cancelleria escritorio',
  },
  {
    name: 'software',
    lines:
      'software subscription licence license saas cloud hosting domain server-hosting app-plan lizenz abonnement logiciel licencia suscripcion abbonamento licenza',
    accounts: 'software subscription licence license computer it-cost edv logiciel informatic',
  },
  {
    name: 'hardware',
    lines:
      'laptop computer monitor keyboard mouse printer router hard-drive ssd tablet bildschirm drucker ordinateur imprimante ordenador impresora',
    accounts: 'computer equipment hardware it-equipment informatic edv',
  },
  {
    name: 'telephone',
    lines:
      'phone mobile airtime data-bundle broadband internet voice sim call telefon mobilfunk telephon telefono telefoon fibre',
    accounts: 'telephone phone communication internet telefon telecom telephon kommunikation',
  },
  {
    name: 'electricity',
    lines:
      'electric energy kwh water sewer gas-supply heating strom wasser heizung electricite eau energia agua luz elektri acqua',
    accounts: 'electric water utilit energy strom energie eau suministro agua gas nutsvoorziening utenze',
  },
  {
    name: 'rent',
    lines:
      'rent lease premises office-space rental miete pacht loyer alquiler arrendamiento huur affitto aluguel renda',
    accounts: 'rent lease miete loyer alquiler arrendamiento huur affitto premises',
  },
  {
    name: 'insurance',
    lines: 'insurance premium cover policy versicher assurance seguro verzekering assicurazion',
    accounts: 'insurance versicher assurance seguro verzekering assicurazion',
  },
  {
    name: 'professional',
    lines:
      'consult advis legal audit accounting attorney lawyer bookkeep beratung rechtsanwalt steuerberat honorar conseil avocat honoraire asesor abogado advies consulenza',
    accounts: 'professional consult legal accounting audit beratung honoraire conseil profesional advies consulenz',
  },
  {
    name: 'advertising',
    lines:
      'advert marketing campaign banner flyer google-ads sponsor promotion werbung anzeige publicit publicidad reclame pubblicit',
    accounts: 'advert marketing promotion werb publicit reclame pubblicit',
  },
  {
    name: 'freight',
    lines:
      'shipping freight delivery courier postage parcel customs versand fracht porto livraison transport envio porte verzending spedizion',
    accounts: 'freight courier postage shipping delivery carriage porto fracht transport transporte verzend spedizion',
  },
  {
    name: 'repairs',
    lines:
      'repair maintenance service-call spare-part plumb electrician reparatur wartung reparation entretien reparacion mantenimiento reparatie onderhoud manutenzion',
    accounts: 'repair maintenance instandhaltung wartung entretien mantenimiento onderhoud manutenzion',
  },
  {
    name: 'cleaning',
    lines: 'clean janitor detergent hygien reinig nettoyage limpieza schoonmaak pulizia',
    accounts: 'clean hygien reinig nettoyage limpieza schoonmaak pulizia',
  },
  {
    name: 'training',
    lines: 'training course seminar workshop conference tuition schulung fortbildung formation formacion cursus corso',
    accounts: 'training education course staff-development schulung fortbildung formation formacion opleiding',
  },
  {
    name: 'bank',
    lines:
      'bank-charge bank-fee card-fee transaction-fee merchant-fee interest kontofuhr gebuhr commission frais-bancaire comision',
    accounts: 'bank charge fee geldverkehr frais-bancaire financ comision',
  },
  {
    name: 'goods',
    lines:
      'goods material stock component raw-material steel timber cement cable hardware ware rohstoff marchandise mercancia materia grondstof merce',
    accounts: 'purchase cost-of-sales cost-of-goods inventory stock material wareneingang achat compra inkoop acquist',
  },
  {
    name: 'wages',
    lines:
      'wage salary payroll labour labor staff-hour temporary-staff lohn gehalt salaire salario nomina loon stipend',
    accounts: 'wage salary payroll lohn gehalt salaire salario loon personal staff-cost subcontract',
  },
  {
    name: 'medical',
    lines: 'medicine pharmacy clinic doctor first-aid arznei apotheke medicament pharmacie farmacia medicijn',
    accounts: 'medical health pharmac gesundheit sante salud',
  },
];
