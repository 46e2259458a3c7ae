import { expect, test } from '@jest/globals';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { claimPort, freePort, portFromEnv } from '../../dev/ports.ts';

test('0 gives a free port', async () => {
  const port = await claimPort(0, 'API_PORT', 'the API');
  expect(port).toBeGreaterThan(0);
});

test('a free port is given back as it is', async () => {
  const port = await freePort();
  await expect(claimPort(port, 'API_PORT', 'the API')).resolves.toBe(port);
});

test('a port in use names the port, the variable and the likely cause', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const claim = claimPort(port, 'TEMPORAL_PORT', 'Temporal');
  await expect(claim).rejects.toThrow(
    new RegExp(`Port ${String(port)} for Temporal is in use.*another stack.*TEMPORAL_PORT=`),
  );
  server.close();
});

test('a variable that is no port is refused by name', () => {
  expect(() => portFromEnv({ PG_PORT: '65536' }, 'PG_PORT', 1)).toThrow('PG_PORT=65536 is not a port');
  expect(() => portFromEnv({ PG_PORT: 'x' }, 'PG_PORT', 1)).toThrow('PG_PORT=x is not a port');
  expect(portFromEnv({}, 'PG_PORT', 54_329)).toBe(54_329);
  expect(portFromEnv({ PG_PORT: '0' }, 'PG_PORT', 54_329)).toBe(0);
});
