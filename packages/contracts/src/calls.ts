import type { z } from 'zod';
import type { ENDPOINTS, EndpointName } from './endpoints.ts';
import type { ANSWERS, Media } from './schemas/answers.ts';
import type { INPUTS } from './schemas/inputs.ts';

type Inputs = typeof INPUTS;
type Answers = { [N in EndpointName]: (typeof ANSWERS)[N]['answer'] };

/** What a caller sends with a call: `params` fill the path, `query` follows it, `body` is sent as JSON. */
export type InputOf<N extends EndpointName> = { [P in keyof Inputs[N]]: SentAs<Inputs[N][P]> };
type SentAs<T> = T extends z.ZodType ? z.input<T> : never;

/** The same input as the server's use case receives it: parsed, with defaults filled in. */
export type ParsedOf<N extends EndpointName> = { [P in keyof Inputs[N]]: ParsedAs<Inputs[N][P]> };
type ParsedAs<T> = T extends z.ZodType ? z.output<T> : never;

/** What a call answers: the JSON's type, `undefined` for an empty answer, bytes for media. */
export type AnswerOf<N extends EndpointName> = Answers[N] extends z.ZodType
  ? z.output<Answers[N]>
  : Answers[N] extends null
    ? undefined
    : Uint8Array;

/** The calls that answer with JSON, or with nothing. */
export type JsonEndpointName = {
  [N in EndpointName]: Answers[N] extends Media ? never : N;
}[EndpointName];

/** Names of the calls of one method. */
export type EndpointsOf<M extends string> = {
  [N in EndpointName]: (typeof ENDPOINTS)[N]['method'] extends M ? N : never;
}[EndpointName];

export type LaunchResult = AnswerOf<'launchToken'>;
export type UserAnswer = AnswerOf<'updateProfile'>;
export type Session = AnswerOf<'verify'>;
export type FeatureResult = AnswerOf<'verifyFeature'>;
