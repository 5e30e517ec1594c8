import { benchClassify } from './classify.ts';
await benchClassify(['development']);
