"""Ask through LangChain's `ChatOpenAI`."""

from typing import Any

from behaviours import (
    BASE_URL,
    GEMMA,
    KEY,
    MODEL,
    TASK,
    TASK_KEY,
    TASK_MODEL,
    TASK_URL,
    read_gauge,
    tell,
)
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from pydantic import BaseModel


class City(BaseModel):
    """A city."""

    model_config = {"extra": "allow"}


def chat(key: str = KEY, model: str = MODEL, **options: Any) -> ChatOpenAI:
    options = {"base_url": BASE_URL, "max_retries": 0, **options}
    return ChatOpenAI(model=model, api_key=key, **options)


def ask(prompt: str, key: str) -> str:
    return chat(key).invoke(prompt).text


def stream(prompt: str, key: str) -> str:
    return "".join(chunk.text for chunk in chat(key, stream_usage=True).stream(prompt))


def tools() -> Any:
    """Call a tool, then answer with its result."""
    model = chat(model=GEMMA).bind_tools([read_gauge])
    said: list[Any] = [HumanMessage("/tool the level")]
    asked = model.invoke(said)
    (call,) = asked.tool_calls
    said += [asked, ToolMessage(read_gauge(**call["args"]), tool_call_id=call["id"])]
    return [call["name"], call["args"], model.invoke(said).text]


def task(**more: Any) -> str:
    model = chat(TASK_KEY, TASK_MODEL, base_url=TASK_URL, **more).bind_tools([read_gauge])
    said: list[Any] = [HumanMessage(TASK)]
    while True:
        answer = model.invoke(said)
        said.append(answer)
        if not answer.tool_calls:
            return answer.text
        for call in answer.tool_calls:
            said.append(result_of(call))


def result_of(call: Any) -> ToolMessage:
    try:
        return ToolMessage(read_gauge(**call["args"]), tool_call_id=call["id"])
    except ValueError as error:
        return ToolMessage(str(error), tool_call_id=call["id"], status="error")


def streamed_tool() -> Any:
    chunks = list(chat(model=GEMMA).bind_tools([read_gauge]).stream("/tool the level"))
    whole = chunks[0]
    for chunk in chunks[1:]:
        whole += chunk
    return [whole.tool_calls[0]["name"], whole.tool_calls[0]["args"]]


def structured(method: str, prompt: str = "Hello") -> str:
    model = chat(model=GEMMA).with_structured_output(City, method=method)
    return type(model.invoke(prompt)).__name__


def usage() -> bool:
    """Return whether the usage is reported, once."""
    counted = [each.usage_metadata for each in chat(stream_usage=True).stream("Hello")]
    (once,) = filter(None, counted)
    return once["output_tokens"] > 50


def responses() -> Any:
    model = chat(use_responses_api=True)
    return model.invoke("Hello").text + "".join(each.text for each in model.stream("Hello"))


def embeddings() -> int:
    # Without the check it needs no tokenizer, which it would download.
    model = OpenAIEmbeddings(
        model="@cf/baai/bge-m3", base_url=BASE_URL, api_key=KEY, check_embedding_ctx_length=False
    )
    return len(model.embed_query("Hello"))


tell(
    ask,
    stream,
    tools=tools,
    streamed_tool=streamed_tool,
    task=task,
    response_task=lambda: task(use_responses_api=True),
    json_schema=lambda: structured("json_schema"),
    json_mode=lambda: structured("json_mode", "Hello, as JSON"),
    function_calling=lambda: structured("function_calling", "/tool Paris"),
    usage=usage,
    response=responses,
    embedding=embeddings,
)
