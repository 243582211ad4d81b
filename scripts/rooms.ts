// Prints the floors and each folder's rooms with their number of files, and the floors or rooms that each one imports.
import { floorOf, floors, rooms } from '../test/architecture/floors.ts';
import { arrowsIn, readTree, roomOf, type SourceFile } from '../test/architecture/source-tree.ts';

print('src', { files: readTree('src'), order: Object.keys(floors), placeOf: floorOf });
for (const [folder, levels] of Object.entries(rooms)) {
  const tree = folder.startsWith('web/') ? 'web/src' : 'src';
  const inside = folder === tree ? '' : folder.slice(tree.length + 1);
  const files = readTree(tree).filter(({ name }) => inside === '' || name.startsWith(`${inside}/`));
  print(folder, { files, order: levels.flat(), placeOf: (name) => roomOf(name, inside) }, inside);
}

interface Places {
  files: SourceFile[];
  order: readonly string[];
  placeOf(name: string): string;
}

function print(folder: string, { files, order, placeOf }: Places, inside = ''): void {
  const arrows = arrowsIn(files, inside, placeOf);
  console.log(`${folder}: ${files.length} files, ${[...arrows.values()].flatMap((to) => [...to]).length} arrows`);
  for (const place of order.filter((name) => arrows.has(name))) {
    const count = files.filter(({ name }) => placeOf(name) === place).length;
    console.log(`  ${place.padEnd(20)}${String(count).padStart(4)}  ${[...(arrows.get(place) ?? [])].join(' ')}`);
  }
}
