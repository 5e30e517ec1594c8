export type { Endpoint, Fault } from './faults.ts';
export type { Account, Media, MediaOptions, Post, PostOptions } from './network.ts';
export { type Answered, startXStandIn, type Vocabulary, type XStandIn } from './start-x-stand-in.ts';
