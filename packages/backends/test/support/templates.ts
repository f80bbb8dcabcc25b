/** Templates in the shapes that well-known models have, written for these tests. */

/** Turns between markers, a system message like any other. */
export const chatMl = `{%- for message in messages %}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
{{- '<|im_start|>assistant\\n' }}
{%- if enable_thinking is defined and not enable_thinking %}{{- '<think>\\n\\n</think>\\n\\n' }}{% endif %}
{%- endif %}`

/** Begin token, headers, a date in the system message, tools that may be absent. */
export const llama3 = `{{- bos_token }}
{%- if not tools is defined %}{%- set tools = none %}{%- endif %}
{%- if messages[0]['role'] == 'system' %}
{%- set system_message = messages[0]['content'] | trim %}
{%- set messages = messages[1:] %}
{%- else %}
{%- set system_message = '' %}
{%- endif %}
{{- '<|start_header_id|>system<|end_header_id|>\\n\\n' }}
{%- if tools is not none %}{{- 'Environment: ipython\\n' }}{%- endif %}
{{- 'Today Date: ' + strftime_now('%d %b %Y') + '\\n\\n' + system_message + '<|eot_id|>' }}
{%- for message in messages %}
{{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n' + message['content'] | trim + '<|eot_id|>' }}
{%- endfor %}
{%- if add_generation_prompt %}
{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- endif %}`

/** Begin token, no system role, the assistant is called model. */
export const gemma = `{{ bos_token }}
{%- if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}
{%- for message in messages %}
{%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}
{{- raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}
{%- endif %}
{%- set role = 'model' if message['role'] == 'assistant' else message['role'] %}
{{- '<start_of_turn>' + role + '\\n' + message['content'] | trim + '<end_of_turn>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<start_of_turn>model\\n' }}{% endif %}`

/** Begin and end tokens, instructions in brackets, the system message goes into the first one. */
export const mistral = `{%- if messages[0].role == 'system' %}
{%- set system = messages[0].content %}{%- set turns = messages[1:] %}
{%- else %}{%- set system = none %}{%- set turns = messages %}
{%- endif %}
{{- bos_token }}
{%- for turn in turns %}
{%- if (turn.role == 'user') != (loop.index0 % 2 == 0) %}
{{- raise_exception('After the optional system message, conversation roles must alternate user/assistant/user/assistant/...') }}
{%- endif %}
{%- if turn.role == 'user' %}
{%- if loop.first and system is not none %}
{{- '[INST] ' + system + '\\n\\n' + turn.content + '[/INST]' }}
{%- else %}{{- '[INST] ' + turn.content + '[/INST]' }}
{%- endif %}
{%- elif turn.role == 'assistant' %}{{- ' ' + turn.content | trim + eos_token }}
{%- else %}{{- raise_exception('Only user and assistant roles are supported!') }}
{%- endif %}
{%- endfor %}`
