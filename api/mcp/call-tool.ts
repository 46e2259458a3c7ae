import type { Request, Response } from 'express';
import { z } from 'zod';
import { runNamedAction } from '../adapters/run-action.ts';
import { successBody } from '../http/envelope.ts';
import { errorBody, publicError } from '../http/errors.ts';
import { idempotencyOf, markReplay } from '../http/idempotency.ts';
import type { Call } from '../operation.ts';

export const CallParams = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() });

/**
 * Runs the action that is the tool, and gives the result as JSON text. Its content is the JSON of the underlying answer;
 * a refusal is a result with isError, not an error of the protocol (spec).
 */
export async function callTool(
  call: Call,
  { req, res }: { req: Request; res: Response },
  tool: z.output<typeof CallParams>,
): Promise<string> {
  try {
    const idempotency = idempotencyOf(req, { name: tool.name, arguments: tool.arguments });
    const outcome = await runNamedAction({ ...call, idempotency }, tool.name, tool.arguments ?? {});
    markReplay(req, res);
    const body = JSON.stringify(successBody(req, outcome, 'envelope'));
    return `{"content":[{"type":"text","text":${JSON.stringify(body)}}],"structuredContent":${body},"isError":false}`;
  } catch (error) {
    const refusal = publicError(error);
    if (refusal.code === 'INTERNAL_ERROR')
      call.services.log.error({ err: refusal.cause }, 'unexpected error in a tool call');
    return JSON.stringify({
      content: [{ type: 'text', text: JSON.stringify(errorBody(req, refusal)) }],
      isError: true,
    });
  }
}
