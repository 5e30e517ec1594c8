import type { RequestHandler } from 'express';
import type { z } from 'zod';
import { AppError } from '../app-error.ts';

/** Parses input by a schema. Throws a 400 that names every invalid field. */
export function parse<T extends z.ZodType>(schema: T, input: unknown, noun: 'parameter' | 'field'): z.output<T> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const errors = result.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  const first = errors[0];
  const detail = first ? `The ${noun} ${first.path || 'body'} ${first.message}.` : 'The request is not valid.';
  throw new AppError('invalid_request', detail, { errors });
}

/** Refuses parameter names with brackets, which some servers interpret as operators. */
export const refuseBrackets: RequestHandler = (request, _response, next) => {
  const name = Object.keys(request.query)
    .find((one) => /[[\]]/.test(one))
    ?.slice(0, 100);
  if (name === undefined) return next();
  throw new AppError('invalid_request', `The parameter name ${JSON.stringify(name)} is not allowed.`, {
    errors: [{ path: name, message: 'must not hold brackets' }],
  });
};
