export { type EmbeddedMongo, type EmbeddedMongoOptions, openEmbeddedMongo } from './open-embedded-mongo.ts';
export { UnusablePlatformError } from './platform.ts';
