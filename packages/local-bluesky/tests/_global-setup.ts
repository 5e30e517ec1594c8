export { offerLocalBluesky as default } from '../src/index.ts';
