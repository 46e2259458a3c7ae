/** The peer's one registered client. */
export const PEER_CLIENT = { id: 'bench', secret: 'bench-secret-bench-secret-bench-secret' };
