"""An MCP server without any library: what it is told to write goes into a file."""
import json
import sys

TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
TOOLS = [
    {"name": "read_ledger", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}},
    {"name": "write_ledger", "inputSchema": TEXT},
]


def call(name, arguments):
    if name == "write_ledger":
        with open(sys.argv[1], "a", encoding="utf-8") as ledger:
            ledger.write(arguments["text"] + "\n")
    with open(sys.argv[1], encoding="utf-8") as ledger:
        return {"content": [{"type": "text", "text": ledger.read()}]}


def answer(method, params):
    if method == "initialize":
        info = {"name": "ledger", "version": "1"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": TOOLS}
    return call(params["name"], params.get("arguments", {})) if method == "tools/call" else {}


KNOWN = {"initialize", "ping", "tools/list", "tools/call"}
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    if message["method"] in KNOWN:
        reply["result"] = answer(message["method"], message.get("params", {}))
    else:
        reply["error"] = {"code": -32601, "message": "Method not found"}
    print(json.dumps(reply), flush=True)
