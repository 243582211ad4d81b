import type { KnownServer } from './known-server.ts';

export const filesystem: KnownServer = {
  package: '@modelcontextprotocol/server-filesystem',
  version: '2026.8.31',
  tools: {
    read_file: {
      does: 'reads',
      takes: ['path', 'tail', 'head'],
      definition: '0d3053e149bbed0efb866d71e1a26a9930943d6802b2e895c70b6cffb2a6da69',
    },
    read_text_file: {
      does: 'reads',
      takes: ['path', 'tail', 'head'],
      definition: '719dd577fe88d34753f346a1b3f06861729d35a736c5678ef74c3ecf7499049d',
    },
    read_media_file: {
      does: 'reads',
      takes: ['path'],
      definition: 'fd1652782a458eba56d0fe667a8a125c628a1d22f83a7ca2985249f39c67ad2e',
    },
    read_multiple_files: {
      does: 'reads',
      takes: ['paths'],
      definition: '065b48b065960e7b8f381e3bfe7a1349900a7f9a06a88d76e681b430a7b143d8',
    },
    write_file: { does: 'writes', takes: ['path', 'content'], objects: { path: 'path' } },
    edit_file: { does: 'writes', takes: ['path', 'edits', 'dryRun'], objects: { path: 'path' } },
    create_directory: { does: 'writes', takes: ['path'], objects: { path: 'path' } },
    list_directory: {
      does: 'reads',
      takes: ['path'],
      definition: 'ec61cadaadc30ed96b20b69a5b3bd3d390cc42c4aa34211936112ffc722b081f',
    },
    list_directory_with_sizes: {
      does: 'reads',
      takes: ['path', 'sortBy'],
      definition: '173a43b1fd8bb8412c31d627dd27c1433ad836227e97ffaa8b1920ff01c64cc1',
    },
    directory_tree: {
      does: 'reads',
      takes: ['path', 'excludePatterns'],
      definition: '4af8c89bd16efde54e75ffdd0386336b4dc16642ae6c48d120f81f382ce34a2c',
    },
    move_file: { does: 'writes', takes: ['source', 'destination'], objects: { source: 'path', destination: 'path' } },
    search_files: {
      does: 'reads',
      takes: ['path', 'pattern', 'excludePatterns'],
      definition: 'ba523367b44cadd0314439fed40e202515786484e61a3a90ff2519025bc8752d',
    },
    get_file_info: {
      does: 'reads',
      takes: ['path'],
      definition: '52ca5ea5719616464785297af98805915023bc4b241783b20c9c00f94f08b830',
    },
    list_allowed_directories: {
      does: 'reads',
      takes: [],
      definition: '4f6220a971c6b0a61ed532adb8ed28c1b2fc1f275fd2e21d9674407bfe2e4702',
    },
  },
};
