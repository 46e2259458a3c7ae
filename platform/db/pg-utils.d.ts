// The driver exports the file but types only its index.
declare module 'pg/lib/utils.js' {
  const utils: {
    /** A JavaScript value as PostgreSQL's text format, or its bytes. */
    prepareValue(value: unknown): string | Buffer | null;
  };
  export default utils;
}
