/**
 * Fails when the built web would not work: when scripts need each other in a circle, so that one would run before what
 * it needs, or when the page holds an inline script or style, which the content policy forbids, or a placeholder.
 * Part of the build, so that what is broken is never started.
 */
import { fail, html, manifest } from './built-web.mjs';

for (const chunk of Object.values(manifest)) failInCircle(chunk);
if (/<script(?![^>]*\bsrc=)/.test(html) || /<style|\sstyle="|\son\w+="/.test(html))
  fail('index.html holds an inline script or style.');
if (html.includes('%PRODUCT_')) fail('index.html holds a placeholder.');

function failInCircle(chunk, path = []) {
  if (path.includes(chunk.file)) fail(`Scripts need each other: ${[...path, chunk.file].join(', ')}`);
  for (const key of chunk.imports ?? []) failInCircle(manifest[key], [...path, chunk.file]);
}
