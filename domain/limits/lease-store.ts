export interface LeaseRequest {
  subject: string;
  perWindow: number;
  burst: number;
  windowMs: number;
  /** Requests that wait for a token right now; no slice is smaller, if there is enough. */
  waiting: number;
  /** Admitted without the store while it was away: counted before anything is granted. */
  spent: number;
}

export interface Lease {
  granted: number;
  /** What the store still has for this window. */
  left: number;
  /** When the window ends by the store's clock, epoch ms; also its name, for giving back. */
  windowId: number;
  /** The same as a duration, because this process's clock may differ. */
  endsInMs: number;
  /** Until the store's current second is over: how long a burst that it refused lasts. */
  secondEndsInMs: number;
}

export interface ReturnedTokens {
  subject: string;
  windowId: number;
  tokens: number;
}

/** Where the processes share the windows: PostgreSQL, or another store with atomic updates. */
export interface LeaseStore {
  /** Takes a slice of the subject's window, beginning a new window when the last is over. */
  lease(request: LeaseRequest): Promise<Lease>;
  /** Gives unused tokens back; those of a window that is over are forgotten. */
  giveBack(returned: readonly ReturnedTokens[]): Promise<void>;
}
