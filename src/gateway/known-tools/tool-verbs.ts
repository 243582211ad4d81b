/** Verbs of reading tools: the first verb of a name tells what its tool does. */
export const reading =
  /^(?:get|list|read|search|find|fetch|show|describe|query|view|count|check|explain|lookup|look|retrieve|resolve|inspect|browse|preview|diff|compare|validate|wait|ping|whoami|status|analy[sz]e|download|open|select|trace|print|stat|tree|head|tail|grep|watch)$/;
export const writing =
  /^(?:write|create|add|insert|update|upsert|edit|modify|patch|put|set|save|fork|drag|navigate|evaluate|upgrade|cleanup|store|overwrite|rename|move|copy|replace|append|upload|send|post|publish|push|mail|reply|submit|pay|transfer|buy|invoke|spawn|start|stop|restart|deploy|install|grant|revoke|merge|approve|apply|scale|click|type|fill|press|trigger|refund|cancel|purchase|withdraw|enable|disable|assign|unassign|invite|ban|restore|rollback)$/;
/** Verbs of tools that give data away. */
export const sending =
  /^(?:send|post|publish|push|mail|email|reply|submit|upload|share|notify|broadcast|export|forward|invite|pay|transfer)$/;
/** Verbs that appear in no name and no first sentence of a reading tool. */
export const destroying =
  /^(?:delete|destroy|drop|erase|remove|purge|wipe|truncate|reset|execute|exec|eval|kill|terminate|uninstall|shutdown|rm|rmdir|unlink|del|prune|evict)$/;

/** The words of a tool's name. */
export const wordsOfName = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
