import type { KnownServer } from './known-server.ts';

export const desktopCommander: KnownServer = {
  package: '@wonderwhy-er/desktop-commander',
  version: '0.2.52',
  tools: {
    get_config: {
      does: 'reads',
      takes: ['origin'],
      definition: 'cfde7aa2aea320c9451d6f456961238f5d6f9aa910a33c98c07feeafa73131b1',
    },
    set_config_value: { does: 'writes', takes: ['key', 'value', 'origin'] },
    read_file: {
      does: 'reads',
      takes: ['path', 'isUrl', 'offset', 'length', 'sheet', 'range', 'options', 'origin'],
      unless: ['isUrl'],
      definition: 'e4d41b8c8bd23cfff90d4d20eaba2144410f365e4836743e87ad9e57e1861486',
    },
    read_multiple_files: {
      does: 'reads',
      takes: ['paths'],
      definition: '209df0ebe6f065a01443f0550a24416d67a3ebef42d14a90036cf56913750e69',
    },
    write_file: { does: 'writes', takes: ['path', 'content', 'mode', 'origin'], objects: { path: 'path' } },
    write_pdf: {
      does: 'writes',
      takes: ['path', 'content', 'outputPath', 'options'],
      objects: { path: 'path', outputPath: 'path' },
    },
    create_directory: { does: 'writes', takes: ['path'], objects: { path: 'path' } },
    list_directory: {
      does: 'reads',
      takes: ['path', 'depth', 'origin'],
      definition: '16904590d59fed5cc5869a203e43fa0fbd9d0b649040cf342a0ea4303c31a347',
    },
    move_file: { does: 'writes', takes: ['source', 'destination'], objects: { source: 'path', destination: 'path' } },
    start_search: {
      does: 'reads',
      takes: [
        'path',
        'pattern',
        'searchType',
        'filePattern',
        'ignoreCase',
        'maxResults',
        'includeHidden',
        'contextLines',
        'timeout_ms',
        'earlyTermination',
        'literalSearch',
        'origin',
      ],
      definition: 'fdd456d72b710572c917a7c8ec78c8a5b8e4b87ddc970a73f4a60a033edde2ad',
    },
    get_more_search_results: {
      does: 'reads',
      takes: ['sessionId', 'offset', 'length'],
      definition: '033dfeb7521e5721d0f59ddec08f57dfb5ae01019711cfffb9a38f3b5ebcede3',
    },
    stop_search: { does: 'writes', takes: ['sessionId'] },
    list_searches: {
      does: 'reads',
      takes: [],
      definition: 'db3b2400112be4d73f06d3cc11cf66587fcdd6ab5b115361f440dfa6b0d649eb',
    },
    get_file_info: {
      does: 'reads',
      takes: ['path'],
      definition: '9d5cb08a05e02597c100f849db6f7be9ec76775263ddf4a0c3e687e480a0670e',
    },
    edit_block: {
      does: 'writes',
      takes: [
        'file_path',
        'old_string',
        'new_string',
        'expected_replacements',
        'range',
        'content',
        'options',
        'origin',
      ],
      objects: { file_path: 'path' },
    },
    start_process: {
      does: 'writes',
      takes: ['command', 'timeout_ms', 'shell', 'verbose_timing', 'origin'],
      objects: { command: 'command' },
    },
    read_process_output: {
      does: 'reads',
      takes: ['pid', 'timeout_ms', 'offset', 'length', 'verbose_timing'],
      definition: '5f33320d1edc524bd10836c3a2da83a24af13664aa00dcdee2aa5b7843bade77',
    },
    interact_with_process: {
      does: 'writes',
      takes: ['pid', 'input', 'timeout_ms', 'wait_for_prompt', 'verbose_timing'],
    },
    force_terminate: { does: 'destroys', takes: ['pid'] },
    list_sessions: {
      does: 'reads',
      takes: [],
      definition: '13ff0af3920276342290044fa6094e3279cb0a292034584ed8085719d3c1a5b6',
    },
    list_processes: {
      does: 'reads',
      takes: [],
      definition: '220964f4557a89c6f1c8cee415eb59ae65f594a46949d77c941fd988af190740',
    },
    kill_process: { does: 'destroys', takes: ['pid'] },
    get_usage_stats: {
      does: 'reads',
      takes: [],
      definition: '4ecfaf1ca2ac1d59e09bac09f844a8ee33b44129e603b59057e36654a8f1781f',
    },
    get_recent_tool_calls: {
      does: 'reads',
      takes: ['maxResults', 'toolName', 'since'],
      definition: '8072494f606b1e653c48b07e6d8fe666eaaa7c9b6fb612a7fbc0c0a9e1ce1885',
    },
    give_feedback_to_desktop_commander: { does: 'writes', takes: [] },
    get_prompts: {
      does: 'reads',
      takes: ['action', 'promptId'],
      definition: '6071e12a1cc62dc85125fa156062ad274760e5052a206a5c299ab58cedbfa930',
    },
  },
};
