// Takes out of a deployed node_modules what the bundle holds already: what stays is what `apps/api/build.mjs` leaves outside,
// what is read by its path, and what those need.
import { existsSync, lstatSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';

const [folder = '', ...wanted] = process.argv.slice(2);
const modules = join(folder, 'node_modules');
const store = join(modules, '.pnpm');

/** The names of the packages in a folder of them, scoped ones too. */
const packagesIn = (path) =>
  readdirSync(path).flatMap((name) =>
    name.startsWith('.')
      ? []
      : name.startsWith('@')
        ? readdirSync(join(path, name)).map((own) => `${name}/${own}`)
        : [name],
  );

/** Folders of the store, each of which holds one package with links to what it needs. */
const needed = new Set();
const visit = (link) => {
  const [entry = ''] = realpathSync(link)
    .slice(realpathSync(store).length + 1)
    .split(sep);
  if (needed.has(entry)) return;
  needed.add(entry);
  const beside = join(store, entry, 'node_modules');
  for (const name of packagesIn(beside)) visit(join(beside, name));
};
for (const name of wanted) {
  if (!existsSync(join(modules, name))) throw new Error(`${name} is not among the dependencies`);
  visit(join(modules, name));
}

for (const entry of readdirSync(store)) if (!needed.has(entry)) rmSync(join(store, entry), { recursive: true });
for (const name of packagesIn(modules)) if (!wanted.includes(name)) rmSync(join(modules, name), { recursive: true });
for (const name of readdirSync(modules))
  if (
    name.startsWith('@') &&
    lstatSync(join(modules, name)).isDirectory() &&
    readdirSync(join(modules, name)).length === 0
  )
    rmSync(join(modules, name), { recursive: true });
