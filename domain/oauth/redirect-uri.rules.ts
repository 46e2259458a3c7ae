const LOOPBACK_HOSTS = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** The characters of a URI (RFC 3986 §2) without `*`, which would look like a wildcard, and `#`, which begins a fragment. */
const URI_CHARACTERS = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/;

/**
 * Why answers must not go to this address; undefined where they may (RFC 6749 §3.1.2, RFC 8252 §7, RFC 9700 §2.1):
 * https, http on loopback, and for public clients a private-use scheme in reverse domain notation.
 */
export function redirectUriProblem(uri: string, clientType: 'confidential' | 'public'): string | undefined {
  if (uri.includes('#')) return 'must not have a fragment';
  if (uri.includes('*')) return 'must not have a wildcard: each address is registered in full';
  if (!URI_CHARACTERS.test(uri) || !URL.canParse(uri)) return 'is not an absolute URI';
  const { protocol, hostname, username, password } = new URL(uri);
  if (username !== '' || password !== '') return 'must not hold a user name or password';
  if (/^https?:/i.test(uri)) {
    if (!/^https?:\/\/[^/]/.test(uri)) return 'is not an absolute URI in lower case';
    if (protocol === 'https:' || LOOPBACK_HOSTS.has(hostname)) return undefined;
    return 'must be https; http is for 127.0.0.1, [::1] and localhost only';
  }
  if (!protocol.includes('.')) return 'must be https, or a scheme such as com.example.app';
  if (clientType === 'confidential') return 'a private-use scheme is for public clients only';
  return undefined;
}
