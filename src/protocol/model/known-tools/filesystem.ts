import type { KnownServer } from './known-server.ts';

export const filesystem: KnownServer = {
  package: '@modelcontextprotocol/server-filesystem',
  version: '2026.8.31',
  tools: {
    read_file: { does: 'reads', takes: ['path', 'tail', 'head'] },
    read_text_file: { does: 'reads', takes: ['path', 'tail', 'head'] },
    read_media_file: { does: 'reads', takes: ['path'] },
    read_multiple_files: { does: 'reads', takes: ['paths'] },
    write_file: { does: 'writes', takes: ['path', 'content'], objects: { path: 'path' } },
    edit_file: { does: 'writes', takes: ['path', 'edits', 'dryRun'], objects: { path: 'path' } },
    create_directory: { does: 'writes', takes: ['path'], objects: { path: 'path' } },
    list_directory: { does: 'reads', takes: ['path'] },
    list_directory_with_sizes: { does: 'reads', takes: ['path', 'sortBy'] },
    directory_tree: { does: 'reads', takes: ['path', 'excludePatterns'] },
    move_file: { does: 'writes', takes: ['source', 'destination'], objects: { source: 'path', destination: 'path' } },
    search_files: { does: 'reads', takes: ['path', 'pattern', 'excludePatterns'] },
    get_file_info: { does: 'reads', takes: ['path'] },
    list_allowed_directories: { does: 'reads', takes: [] },
  },
};
