import { createServer } from 'node:net';
import { StartError, errorCode } from './errors.ts';

const HOST = '127.0.0.1';

/** A port nobody listens on at this moment. */
export function freePort(): Promise<number> {
  return listenOnce(0);
}

/**
 * The port to use: `wanted`, or a free one for 0. A taken port is a {@link StartError} that names the variable.
 * @param variable the environment variable that moves this port
 */
export async function claimPort(wanted: number, variable: string, what: string): Promise<number> {
  try {
    return await listenOnce(wanted);
  } catch (error) {
    const port = String(wanted);
    if (errorCode(error) === 'EACCES') {
      throw new StartError(
        `Port ${port} for ${what} needs more rights than this user has; choose another with ${variable}=<port>.`,
      );
    }
    throw new StartError(
      `Port ${port} for ${what} is in use. Perhaps another stack runs: stop it, or start this one beside it with ` +
        `${variable}=<port> (0 takes a free one) and a VAR_DIR of its own.`,
    );
  }
}

/** The port named by an environment variable, or `fallback`. */
export function portFromEnv(env: NodeJS.ProcessEnv, variable: string, fallback: number): number {
  const text = env[variable];
  if (text === undefined || text === '') return fallback;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new StartError(`${variable}=${text} is not a port: give 0 (a free one) to 65535.`);
  return port;
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.unref();
    server.once('error', reject);
    server.listen({ port, host: HOST, exclusive: true }, () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : port);
      });
    });
  });
}
