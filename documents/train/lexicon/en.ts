import type { Terms } from './terms.ts';

export const en: Terms = {
  invoice: 'Invoice|Tax Invoice|INVOICE|Commercial Invoice|VAT Invoice|Sales Invoice|Final Invoice|Service Invoice',
  receipt:
    'Receipt|Cash Bill|CASH SALES|TAX INVOICE|Official Receipt|Sales Receipt|SIMPLIFIED TAX INVOICE|Customer Copy|Invoice|Guest Check',
  credit_note: 'Credit Note|CREDIT MEMO|Tax Credit Note|Credit Memorandum|CREDIT NOTE|Credit Invoice|Sales Credit Note',
  purchase_order:
    'Purchase Order|PURCHASE ORDER|Order Form|Official Purchase Order|PO|Order|Standard Purchase Order|Order Confirmation',
  delivery_note:
    'Delivery Note|Packing Slip|PACKING LIST|Delivery Docket|Dispatch Note|Goods Delivery Note|Despatch Advice|Waybill|Proof of Delivery',
  bank_statement:
    'Account Statement|Bank Statement|Statement of Account|Your Account Summary|Current Account Statement|Statement|Checking Account Statement|Statement of your accounts',
  supplier_statement:
    'Statement of Account|Statement|SUPPLIER STATEMENT|Customer Statement|Monthly Statement|Account Statement|Debtor Statement|Vendor Statement',
  bill: 'Electricity Bill|Your bill|Water & Sewer Bill|Utility Bill|Telephone Bill|Gas Statement|Energy Statement|Internet Bill|TAX INVOICE|Municipal Account|Monthly bill|Rates and services account|Mobile account|Statement',
  contract:
    'Non-Disclosure Agreement|SERVICE AGREEMENT|Employment Contract|Lease Agreement|Mutual Confidentiality Agreement|Consulting Agreement|Supply Contract|MASTER SERVICES AGREEMENT|Memorandum of Understanding|AGREEMENT',
  resume: 'Curriculum Vitae|Resume|CV|RESUME|Professional Profile',
  passport: 'PASSPORT|Passport|PASSPORT / PASSEPORT',
  id_document:
    'Identity Card|NATIONAL IDENTITY CARD|IDENTIFICATION CARD|Permanent Resident|RESIDENCE PERMIT|National ID|ID CARD',
  drivers_license: 'DRIVER LICENSE|DRIVING LICENCE|Driver License|DRIVERS LICENSE|Driving Licence',
  proof_of_address:
    'Proof of Address|Confirmation of address|TO WHOM IT MAY CONCERN|Proof of Residence|Certificate of Residence|Address verification letter|Residence Confirmation|Affidavit of residence',
  invoice_no: 'Invoice No|Invoice Number|Invoice #|Inv No|Invoice ID|Reference',
  credit_no: 'Credit Note No|Credit Memo #|Credit No|Note number|Document no',
  order_no: 'PO Number|Purchase Order No|Order No|P.O. #|Our order|Order number',
  delivery_no: 'Delivery Note No|DN #|Docket No|Packing slip no|Dispatch no',
  account_no: 'Account Number|Account No|A/C No|Customer No|Account|Contract account',
  receipt_no: 'Receipt No|Trans No|Bill No|Doc No|Check #|Slip',
  date: 'Date|Issue Date|Invoice Date|Date issued|Document date|Issued',
  due: 'Due Date|Payment due|Terms: Net 30 days|Payment terms: 14 days|Pay by|Due on',
  bill_to: 'Bill To|Invoice to|Sold to|Billed to|Customer|Credit to|Client',
  ship_to: 'Ship To|Deliver to|Delivery address|Consignee|Shipping address',
  supplier: 'Supplier|Vendor|To supplier|Supplier name|Seller',
  description: 'Description|Item|Particulars|Details|Product',
  quantity: 'Qty|Quantity|Qty.|Units',
  price: 'Unit Price|Price|Rate|Unit cost',
  amount: 'Amount|Total|Line total|Net|Amount (excl)',
  subtotal: 'Subtotal|Net amount|Sub-total|Total excl. VAT|Net total',
  tax: 'VAT 20%|GST 6%|Sales tax|Tax (10%)|VAT 15%|GST @6%',
  total: 'Total|Total due|Amount due|Grand Total|TOTAL AMOUNT|Balance due|Total payable|Total incl. VAT',
  bank: 'Bank details: Sort code 20-11-33|IBAN GB29 NWBK 6016 1331 9268 19|Please remit to|SWIFT/BIC NWBKGB2L|Bank: First National, account no',
  terms:
    'Payment within 30 days|Late payments attract interest|Goods remain our property until paid|Please quote the invoice number',
  thanks:
    'THANK YOU|Thank you, please come again|Goods sold are not returnable|Have a nice day|Thanks for your visit|No refund without receipt',
  cash: 'CASH|Cash tendered|Cash paid|Tendered|AMOUNT TENDERED',
  change: 'CHANGE|Change due|Change given',
  cashier: 'Cashier|Served by|Server|Till|Counter|Terminal|Table 12|Pax 2',
  card: 'VISA ************1234|MASTERCARD|Approval code 004521|Debit card|Auth code|Card no XXXX1234',
  received:
    'Received in good condition by|Received by|Goods received by|Signature|Print name|Recipient signature and date',
  carrier: 'Carrier|Delivered by|Driver|Vehicle|No of packages|Gross weight 120 kg|Shipped via|Pallets|Tracking number',
  shipped: 'Qty shipped|Qty delivered|Ordered   Delivered|Ordered  Shipped  Backorder|Quantity',
  authorised:
    'Authorised by|Approved by|Please supply the following|Required by|Delivery date|Buyer|Order total|Requested by|Ship via',
  original:
    'Against invoice|Original invoice|Related invoice no|Your invoice|Re: invoice|Invoice credited|Applies to invoice',
  reason:
    'Reason for credit|Reason: goods returned|Returned goods|Reason: price adjustment|Credit total|Total credit|Credit date',
  ageing:
    'Current   30 days   60 days   90 days|Current  1-30  31-60  61-90  90+|Ageing|Overdue|Amount outstanding|Remittance advice|Total outstanding',
  invoice_row: 'Invoice|INV|Tax invoice|Sales invoice',
  payment_row: 'Payment|Payment received|Receipt|Credit note',
  opening: 'Opening balance|Beginning balance|Balance brought forward|Previous balance|Starting balance',
  closing: 'Closing balance|Ending balance|New balance|Balance carried forward',
  movements:
    'Direct debit|Card purchase|ATM withdrawal|Standing order|Deposit|Interest paid|Salary|POS purchase|Transfer|Check 1021|Faster payment|Monthly fee',
  columns:
    'Date  Description  Paid out  Paid in  Balance|Date  Details  Withdrawals  Deposits  Balance|Date  Transaction  Debit  Credit  Balance|Date  Description  Amount  Balance|Date  Reference  Charges  Payments  Balance',
  holder: 'Account holder|Account name|Customer name',
  period: 'Statement period|Billing period|Period|For the period|From',
  bank_word: 'Bank|Savings Bank|Credit Union|Building Society|Trust Bank',
  meter:
    'Meter number|Previous reading|Current reading|Usage 412 kWh|Meter reading|Consumption 18 kl|Units used (kWh)|Tariff',
  charges:
    'Standing charge|Unit rate|Service charge|Line rental|Data plan|Network charge|Sewerage|Refuse removal|Property rates|Supply charge|Calls and texts|Late fee',
  parties:
    'This Agreement is made by and between the parties|WHEREAS the parties wish to enter into this agreement|between the Company and the Contractor (hereinafter the "Party")',
  clauses:
    'Confidential Information shall not be disclosed by the receiving party|This Agreement shall be governed by the laws of England|Termination may be effected by either party on thirty days notice|IN WITNESS WHEREOF the undersigned have executed this agreement|Neither party shall be liable for indirect damages|The term of this Agreement is two years from the effective date|Any dispute shall be settled by arbitration|This constitutes the entire agreement between the parties hereto',
  headings:
    'Experience|Education|Skills|Work Experience|Languages|Summary|Employment History|Projects|References|Publications|Technical Skills|Certifications|Interests',
  career:
    'Managed a team of five engineers|Bachelor of Science, University of Leeds|Responsible for the yearly budget|Developed internal tools in Python|Software Engineer|Project Manager|Diploma in Accounting|Reduced costs by 20%|linkedin.com/in/jdoe|Sales assistant',
  confirm:
    'This letter is to confirm that the person named below|We hereby certify that|This serves as confirmation of the address of our customer|We confirm that our records show|This letter is issued at the request of the customer for the purpose of',
  residence:
    'resides at the following address|has been resident at|Residential address|is registered at the address|Registered address|has lived at this address since',
  letter: 'Dear Sir or Madam|Yours faithfully|Yours sincerely|Dear Customer|Kind regards|To the manager',
  surname: 'Surname|Last name|Family name|SURNAME',
  given: 'Given names|First name|Given name|Forenames',
  birth: 'Date of birth|DOB|Birth date|Place of birth',
  nationality: 'Nationality|Country of birth|Place of birth|Citizenship',
  expiry: 'Date of expiry|Expires|EXP|Valid until|Expiration date',
  authority: 'Authority|Issuing authority|Date of issue|Code of issuing state|ISS',
  licence_class:
    'CLASS C|4d LIC|END NONE|REST NONE|DONOR|HGT 5-09|EYES BRO|Vehicle categories B B1|DL NO D1234567|WGT 170',
  goods:
    'Hydraulic hose|Office chair|Consulting services|Steel bracket|Paper A4|Coffee|Monthly subscription|Cable 3 m|Maintenance|Chicken rice|Washing powder|Bread|Milk|Software licence',
  page_of: 'Page {n} of {m}|{n}/{m}|Page {n}/{m}|{n} of {m}|Page {n}',
};
