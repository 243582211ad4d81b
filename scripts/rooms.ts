// Prints each folder's rooms with their number of files, and the rooms that each one imports.
import { floors, rooms } from '../test/architecture/floors.ts';
import { arrowsIn, readTree, roomOf } from '../test/architecture/source-tree.ts';

for (const folder of ['src', ...Object.keys(rooms)]) {
  const tree = folder.startsWith('web/') ? 'web/src' : 'src';
  const inside = folder === tree ? '' : folder.slice(tree.length + 1);
  const files = readTree(tree).filter(({ name }) => inside === '' || name.startsWith(`${inside}/`));
  const arrows = arrowsIn(files, inside);
  const order = folder === 'src' ? Object.keys(floors) : (rooms[folder]?.flat() ?? []);
  console.log(`${folder}: ${files.length} files, ${[...arrows.values()].flatMap((to) => [...to]).length} arrows`);
  for (const room of order.filter((name) => arrows.has(name))) {
    const count = files.filter(({ name }) => roomOf(name, inside) === room).length;
    console.log(`  ${room.padEnd(14)}${String(count).padStart(4)}  ${[...(arrows.get(room) ?? [])].join(' ')}`);
  }
}
