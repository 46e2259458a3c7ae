/** What the statistics keep of an extracted document: how sure it was, nothing of what it said. */
export interface DocumentFacts {
  document_type: string;
  type_confidence: number;
  fields: number;
  avg_confidence: number | null;
  min_confidence: number | null;
  has_failed_check: boolean;
}

interface Checked {
  passed: boolean;
}

interface ExtractedDocument {
  document_type?: unknown;
  document_type_confidence?: unknown;
  fields?: Record<string, { confidence: number }>;
  left_out?: Record<string, number>;
  validation?: {
    checks?: Checked[];
    rule_results?: Checked[];
    vendor_verified?: boolean;
    tax_rates_valid?: boolean;
  };
}

/** One for each document of a call's answer whose fields were extracted. */
export function documentFacts(answer: Record<string, unknown>): DocumentFacts[] {
  const several = answer['documents'] ?? answer['results'];
  const documents = (Array.isArray(several) ? several : [answer]) as ExtractedDocument[];
  return documents.filter((document) => document.fields !== undefined).map(factsOf);
}

/** Of all that was found, also below the threshold of the call: otherwise a high one would make every document look sure. */
function factsOf({ document_type, document_type_confidence, ...found }: ExtractedDocument): DocumentFacts {
  const { fields = {}, left_out: leftOut = {}, validation = {} } = found;
  const confidences = [...Object.values(fields).map((field) => field.confidence), ...Object.values(leftOut)];
  const sum = confidences.reduce((total, confidence) => total + confidence, 0);
  const checks = [...(validation.checks ?? []), ...(validation.rule_results ?? [])];
  return {
    document_type: String(document_type),
    type_confidence: Number(document_type_confidence ?? 0),
    fields: Object.keys(fields).length,
    avg_confidence: confidences.length === 0 ? null : sum / confidences.length,
    min_confidence: confidences.length === 0 ? null : Math.min(...confidences),
    has_failed_check:
      checks.some((check) => !check.passed) ||
      validation.vendor_verified === false ||
      validation.tax_rates_valid === false,
  };
}
