import { connect } from 'node:http2';

const CHECK_TIMEOUT_MS = 1_000;
const SERVICE = 'temporal.api.workflowservice.v1.WorkflowService';

/** HealthCheckResponse { status: SERVING } in protobuf: field 1, varint 1. */
const SERVING = Buffer.from([0x08, 0x01]);
const FRAME_HEADER_BYTES = 5;

/**
 * Whether a Temporal frontend at this address serves requests, by the standard gRPC health check. Done by hand over
 * http2: loading a gRPC client takes longer than the server needs to start.
 */
export function isServing(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const session = connect(`http://${host}:${String(port)}`);
    const timer = setTimeout(() => {
      finish(false);
    }, CHECK_TIMEOUT_MS);
    const finish = (answer: boolean): void => {
      clearTimeout(timer);
      session.destroy();
      resolve(answer);
    };
    session.once('error', () => {
      finish(false);
    });
    const stream = session.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.once('error', () => {
      finish(false);
    });
    stream.once('end', () => {
      finish(Buffer.concat(chunks).subarray(FRAME_HEADER_BYTES).equals(SERVING));
    });
    stream.end(healthCheckRequest());
  });
}

/** A gRPC frame (not compressed, length) around HealthCheckRequest { service }: field 1, length-delimited. */
function healthCheckRequest(): Buffer {
  const message = Buffer.concat([Buffer.from([0x0a, SERVICE.length]), Buffer.from(SERVICE)]);
  const header = Buffer.alloc(FRAME_HEADER_BYTES);
  header.writeUInt32BE(message.length, 1);
  return Buffer.concat([header, message]);
}
