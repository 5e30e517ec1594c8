import { expect, test } from '@jest/globals';
import { strictAddress } from './web-address.ts';

test.each([
  ['https://x.com/ann/status/1?s=20#m', 'https://x.com/ann/status/1?s=20#m'],
  ['HTTPS://Example.COM', 'https://example.com/'],
  ['http://[::1]:8080/a', 'http://[::1]:8080/a'],
  ['https://a.example/“ü”/<b>|\\^`{}"', 'https://a.example/%E2%80%9C%C3%BC%E2%80%9D/%3Cb%3E%7C/%5E%60%7B%7D%22'],
  ['https://a.example/100%/%41%zz?[x]=%', 'https://a.example/100%25/%41%25zz?%5Bx%5D=%25'],
  ['https://a.example/#one#two', 'https://a.example/#one%23two'],
  ['https://müller.example/', 'https://xn--mller-kva.example/'],
  ['javascript:alert(1)', null],
  ['https://', null],
])('%s is written %s', (given, written) => {
  expect(strictAddress(given)).toBe(written);
});
