import type { KnownServer } from './known-server.ts';

export const playwright: KnownServer = {
  package: '@playwright/mcp',
  version: '0.0.83',
  tools: {
    browser_close: {
      does: 'reads',
      takes: [],
      definition: 'e7cb42aa82538c6a32e4c8546418de53b173844c979e9299db0de8fbc9575260',
    },
    browser_resize: {
      does: 'reads',
      takes: ['width', 'height'],
      definition: 'aa67a26da65a3cac6ef0efbe761d60a0801d870e0786bf76e47115a6a203273a',
    },
    browser_console_messages: {
      does: 'reads',
      takes: ['level', 'all', 'filename'],
      unless: ['filename'],
      definition: 'cdd021df202db4ba57df0f101a22c287aab1bf61a76d9635d92eec8668620724',
    },
    browser_handle_dialog: { does: 'writes', takes: ['accept', 'promptText'] },
    browser_emulate_media: {
      does: 'reads',
      takes: ['colorScheme', 'reducedMotion', 'forcedColors', 'contrast', 'media'],
      definition: '7b1b0eb11b64b46092280ca47bdbe1953c7fee9a8c16e96961970dd3d702ddd4',
    },
    browser_evaluate: { does: 'writes', takes: ['element', 'target', 'function', 'filename'] },
    browser_file_upload: { does: 'sends', takes: ['paths'] },
    browser_drop: { does: 'writes', takes: ['element', 'target', 'paths', 'data'] },
    browser_find: {
      does: 'reads',
      takes: ['text', 'regex', 'filename'],
      unless: ['filename'],
      definition: '4c3390f3b5bce2803211ed4e784780d7e39a6f03b73464f04b6fd7cce4a942d4',
    },
    browser_fill_form: { does: 'writes', takes: ['fields'] },
    browser_press_key: { does: 'writes', takes: ['key'] },
    browser_type: { does: 'writes', takes: ['element', 'target', 'text', 'submit', 'slowly'] },
    browser_navigate: { does: 'sends', takes: ['url'], objects: { url: 'url' } },
    browser_navigate_back: {
      does: 'reads',
      takes: [],
      definition: 'bf9a5d43dcbf80a2bd2d4a92e919242ee3d37dc9464dd89b5c23541495954107',
    },
    browser_network_requests: {
      does: 'reads',
      takes: ['static', 'filter', 'filename'],
      unless: ['filename'],
      definition: '6610a58352de5d6bc26971efa1d5c2684f90711c38065cbac992f0c61f3803a6',
    },
    browser_network_request: {
      does: 'reads',
      takes: ['index', 'part', 'filename'],
      unless: ['filename'],
      definition: '7ca5f4884604c87bd82fe9f81addcae3b2c77481eb18377aa3bc7dc98a920dd4',
    },
    browser_run_code_unsafe: { does: 'writes', takes: ['code', 'filename'] },
    browser_take_screenshot: {
      does: 'reads',
      takes: ['element', 'target', 'type', 'filename', 'fullPage', 'scale'],
      unless: ['filename'],
      definition: '1fab2da9a612d1c4e40e73c2817818cf43abd8ce45b5b5733ee871834e1b663a',
    },
    browser_snapshot: {
      does: 'reads',
      takes: ['target', 'filename', 'depth', 'boxes'],
      unless: ['filename'],
      definition: '19434429a534a8e54bb14732b859b454363dfb2f1e86d4162b15369e61099352',
    },
    browser_click: { does: 'writes', takes: ['element', 'target', 'doubleClick', 'button', 'modifiers'] },
    browser_drag: { does: 'writes', takes: ['startElement', 'startTarget', 'endElement', 'endTarget'] },
    browser_hover: {
      does: 'reads',
      takes: ['element', 'target'],
      definition: '833f3bef6a7d2bee386042dc44a76d6e72b3a0c22e3c053b05c0756beaf373bf',
    },
    browser_select_option: { does: 'writes', takes: ['element', 'target', 'values'] },
    browser_tabs: {
      does: 'reads',
      takes: ['action', 'index', 'url'],
      unless: ['url'],
      definition: '7020162e2d7f716c056efc41385da7399e364833970f8813125003f3b83e01af',
    },
    browser_wait_for: {
      does: 'reads',
      takes: ['time', 'text', 'textGone'],
      definition: '3b0cedb4dfe4510727c487c5f740859d27bd259e073269ca26c0ca31fc78f69c',
    },
  },
};
