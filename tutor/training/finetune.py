"""Fine-tuning under the mask: a LoRA adapter on the upper layers, trained where decoding has a choice and nowhere else.

``python -m tutor.training.finetune --pairs FILE --traces FILE --out DIR`` trains, or goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file

from tutor.agent.tutor import MODEL
from tutor.decoding.model import TransformersModel
from tutor.paths import models_dir
from tutor.training.descent import Config, Descent, batches
from tutor.training.examples import Example
from tutor.training.stream import examples

MATRICES = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


def add_lora(lm: Any, config: Config) -> Any:
    """Put a LoRA adapter into the upper layers of a causal language model, and return PEFT's model around it."""
    from peft import LoraConfig, get_peft_model
    from peft.tuners.tuners_utils import BaseTunerLayer

    settings = LoraConfig(
        r=config.rank,
        lora_alpha=config.alpha,
        target_modules=list(MATRICES),
        layers_to_transform=list(range(config.first_layer, lm.config.num_hidden_layers)),
    )
    lm.set_attn_implementation("eager")  # on a CPU the fused one's way back takes six times as long
    tuned = get_peft_model(lm, settings)
    layers: list[Any] = [module for module in tuned.modules() if isinstance(module, BaseTunerLayer)]
    for layer in layers:
        layer.cast_input_dtype_enabled = False  # to the adapter's float32: `Descent` rounds that instead
    return tuned


class Trainer:
    """Trains an adapter and keeps what is needed to resume in one folder.

    Parameters
    ----------
    model_dir : Path
        The base model's folder.
    out : Path
        Folder of checkpoints; one that is there is resumed.
    config : Config
        Settings.
    device : str
        As for `TransformersModel`.
    adapter : Path or None
        Adapter in PEFT's layout, of the same rank, from which to start a new run; layers that it lacks start, as all do without
        one, from the base model.
    """

    def __init__(
        self, model_dir: Path, out: Path, config: Config, device: str = "auto", adapter: Path | None = None
    ) -> None:
        torch.manual_seed(config.seed)
        self.config, self.out = config, out
        self.lm = add_lora(TransformersModel(model_dir, device, adapter=False).causal_lm, config)
        self.parameters = {name: p for name, p in self.lm.named_parameters() if p.requires_grad}
        lm = self.lm.base_model.model
        self._descent = Descent(lm.model, lm.lm_head.weight.detach(), [*self.parameters.values()], config)
        if (out / "state.json").is_file():
            self._resume()
        elif adapter is not None:
            self._load(adapter)

    @property
    def step(self) -> int:
        """Steps made, those before a resumption too."""
        return self._descent.step

    def train(self, examples: Iterable[Example]) -> Iterator[dict[str, float]]:
        """Train on a stream of examples and yield figures after every step.

        Parameters
        ----------
        examples : iterable of Example
            Without end or long enough; those that a resumed run has seen are not in it.
        """
        config = self.config
        stream = batches(examples, config.batch, random.Random(config.seed + self.step))
        for batch in islice(stream, config.steps - self.step):
            figures = self._descent.descend(batch)
            if self.step % config.save_every == 0 or self.step == config.steps:
                self.save()
            yield figures

    def save(self) -> None:
        """Write adapter and optimiser state, each file whole or not at all."""
        self.out.mkdir(parents=True, exist_ok=True)
        self.lm.save_pretrained(self.out / "adapter", save_embedding_layers=False)  # "auto" would ask a hub
        state = self._descent.optimizer.state_dict()["state"]
        tensors = {
            f"{index}.{key}": value.contiguous()
            for index, item in state.items()
            for key, value in item.items()
        }
        save_file(tensors, self.out / "optimizer.partial")
        (self.out / "optimizer.partial").replace(self.out / "optimizer.safetensors")
        partial = self.out / "state.partial"
        partial.write_text(json.dumps({"step": self.step, "config": asdict(self.config)}), "utf-8")
        partial.replace(self.out / "state.json")

    def _load(self, adapter: Path) -> None:
        weights = load_file(adapter / "adapter_model.safetensors")
        parameters = {name.replace(".default.", "."): each for name, each in self.parameters.items()}
        if not weights.keys() <= parameters.keys():
            raise ValueError(
                f"{adapter} has layers or matrices that this run does not train; set --first-layer lower"
            )
        if any(parameters[name].shape != tensor.shape for name, tensor in weights.items()):
            raise ValueError(f"{adapter} has another rank than this run; set --rank to match")
        with torch.no_grad():
            for name, tensor in weights.items():
                parameters[name].copy_(tensor)

    def _resume(self) -> None:
        saved = json.loads((self.out / "state.json").read_text("utf-8"))
        if saved["config"] != asdict(self.config):
            raise ValueError(
                f"{self.out} holds a run with other settings; choose another folder or remove it"
            )
        self._load(self.out / "adapter")
        state: dict[int, dict[str, torch.Tensor]] = {}
        for key, value in load_file(self.out / "optimizer.safetensors").items():
            index, _, field = key.partition(".")
            state.setdefault(int(index), {})[field] = value
        current = self._descent.optimizer.state_dict()
        self._descent.optimizer.load_state_dict({"state": state, "param_groups": current["param_groups"]})
        self._descent.step = saved["step"]


def main() -> None:
    """Train an adapter on pairs and traces."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=Path, required=True, help="sentence pairs, from tutor.training.pairs")
    parser.add_argument(
        "--traces", type=Path, required=True, help="oracle traces, from tutor.training.oracle"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder of checkpoints")
    parser.add_argument("--model", type=Path, default=models_dir() / MODEL, help="the base model's folder")
    parser.add_argument("--adapter", type=Path, help="adapter to start from")
    parser.add_argument("--device", default="auto")
    for name, default in asdict(Config()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default)
    args = parser.parse_args()
    config = Config(**{name: getattr(args, name) for name in asdict(Config())})
    trainer = Trainer(args.model, args.out, config, args.device, args.adapter)
    began = time.perf_counter()
    seen = trainer.step * config.batch
    stream = examples(args.model, args.pairs, args.traces, pairs_per_trace=config.pairs_per_trace, skip=seen)
    for figures in trainer.train(stream):
        print(
            f"step {figures['step']:5.0f}  loss {figures['loss']:.4f}  right {figures['accuracy']:.3f}  "
            f"{figures['tokens'] / figures['seconds']:.0f} tokens/s  {time.perf_counter() - began:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
