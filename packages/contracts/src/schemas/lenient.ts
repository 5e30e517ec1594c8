import { z } from 'zod';

/** A field that may be absent. `prepare` supplies a value or normalizes the given one before `schema` checks it. */
export function lenient<T extends z.ZodType>(prepare: (value: unknown) => unknown, schema: T) {
  // Optional in the input, so that the docs do not list it as required. Required in the output, because `prepare` fills
  // it in.
  const filled = schema.optional().transform((value) => value as z.output<T>);
  return z.preprocess(prepare, filled) as unknown as Lenient<T>;
}

type Sent<T extends z.ZodType> = z.input<T> | null | undefined;

export interface Lenient<T extends z.ZodType> extends z.ZodType<z.output<T>, Sent<T>> {
  _zod: z.ZodType<z.output<T>, Sent<T>>['_zod'] & { optin: 'optional' };
}
