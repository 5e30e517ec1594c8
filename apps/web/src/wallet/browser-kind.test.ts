import { expect, test } from '@jest/globals';
import { browserKind } from './browser-kind.ts';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  ['desktop', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36', 0],
  ['desktop', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.1 Safari/605.1.15', 0],
  ['ios', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.1 Safari/605.1.15', 5],
  ['ios', `${IPHONE} Version/18.1 Mobile/15E148 Safari/604.1`, 5],
  ['in-app', `${IPHONE} Mobile/15E148 Instagram 350.0`, 5],
  ['in-app', `${IPHONE} Mobile/15E148`, 5],
  ['android', 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/156.0 Mobile Safari/537.36', 5],
  ['in-app', 'Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 Version/4.0 Chrome/156.0 Mobile', 5],
] as const)('%s: %s', (kind, userAgent, touchPoints) => {
  expect(browserKind(userAgent, touchPoints)).toBe(kind);
});
