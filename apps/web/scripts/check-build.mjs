/**
 * Fails if the built web would not work: if scripts import each other in a cycle, or if the page holds an inline script
 * or style (the content policy forbids both) or an unfilled placeholder. It is part of the build.
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
