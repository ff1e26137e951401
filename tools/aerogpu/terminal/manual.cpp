// SPDX-License-Identifier: MIT
#include "tools/aerogpu/terminal/manual.hpp"

namespace aerogpu::tool {

namespace {

/// Text that roff prints as it is.
auto roff(std::string_view text) -> std::string {
  std::string out;
  bool is_line_start = true;
  for (const char c : text) {
    if (is_line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    is_line_start = c == '\n';
  }
  return out;
}

/// Paragraphs apart by an empty line.
auto paragraphs(std::string_view text) -> std::string {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find("\n\n");
    out += ".PP\n" + roff(text.substr(0, end)) + "\n";
    text = end == text.npos ? std::string_view{} : text.substr(end + 2);
  }
  return out;
}

void add_command(std::string& page, const command_syntax& command) {
  page += ".SS " + roff(std::string{command.name} + " " + usage_words(command)) + "\n";
  page += paragraphs(command.summary);
  for (const option_row& row : command.options) {
    page += ".TP\n\\fB\\-\\-" + roff(row.name) + "\\fR";
    if (!row.argument.empty()) page += " \\fI" + roff(row.argument) + "\\fR";
    page += "\n" + roff(row.help) + "\n";
  }
}

/// "null vulkan" of "null|vulkan"; empty where the argument is no choice of words.
auto choices_of(const option_row& row) -> std::string {
  if (row.argument.find('|') == row.argument.npos) return {};
  std::string words{row.argument};
  for (char& c : words) c = c == '|' ? ' ' : c;
  return words;
}

/// In single quotes of any shell, without what ends them.
auto in_quotes(std::string_view text) -> std::string {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

/// What stands in the brackets of zsh's _arguments.
auto in_brackets(std::string_view text) -> std::string {
  std::string out = "[";
  for (const char c : text) {
    if (c == '\\' || c == '[' || c == ']' || c == ':') out += '\\';
    out += c;
  }
  return out + "]";
}

auto first_line(std::string_view text) -> std::string_view {
  return text.substr(0, text.find('\n'));
}

void add_program_options(std::string& page) {
  for (const program_option& o : program_options) {
    page += ".TP\n\\fB\\-" + std::string{o.letter} + "\\fR, \\fB\\-\\-" + roff(o.name) + "\\fR\n" +
            roff(o.help) + "\n";
  }
}

/// "--help --version"
auto program_option_names() -> std::string {
  std::string names;
  for (const program_option& o : program_options) {
    names += (names.empty() ? "--" : " --") + std::string{o.name};
  }
  return names;
}

auto names_of(command_list commands) -> std::string {
  std::string names;
  for (const command_syntax* c : commands)
    names += (names.empty() ? "" : " ") + std::string{c->name};
  return names;
}

}  // namespace

auto manual_page(command_list commands, const manual_texts& texts) -> std::string {
  std::string page = ".TH AEROGPU 1 \"\" \"aerogpu " + roff(texts.version) + "\"\n";
  page += ".SH NAME\naerogpu \\- look at recorded AeroGPU guests and replay them\n";
  page += ".SH SYNOPSIS\n.B aerogpu\nCOMMAND [OPTION...] [FILE...]\n";
  page += ".SH DESCRIPTION\n" + paragraphs(texts.about) + ".SH OPTIONS\n";
  add_program_options(page);
  page += ".SH COMMANDS\n";
  for (const command_syntax* command : commands) add_command(page, *command);
  page += ".SH EXAMPLES\n";
  for (const example& one : texts.examples) {
    page += ".TP\n\\fBaerogpu " + roff(one.words) + "\\fR\n" + roff(one.meaning) + "\n";
  }
  return page + ".SH EXIT STATUS\n" + roff(texts.exit_codes);
}

auto bash_completion(command_list commands) -> std::string {
  std::string script =
      "# Made by 'aerogpu complete bash'.\n"
      "_aerogpu() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ] || [ \"${COMP_WORDS[1]}\" = help ]; then\n"
      "    local words='" +
      names_of(commands) +
      "'\n"
      "    case \"$COMP_CWORD $word\" in '1 -'*) words='" +
      program_option_names() +
      "' ;; esac\n"
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"${COMP_WORDS[1]} $before\" in\n";
  for (const command_syntax* c : commands) {
    for (const option_row& row : c->options) {
      const std::string choices = choices_of(row);
      const bool is_folder = row.argument == "DIR";
      if (row.argument.empty()) continue;
      script += "    '" + std::string{c->name} + " --" + std::string{row.name} + "') ";
      if (!choices.empty()) {
        script += "COMPREPLY=($(compgen -W '" + choices + "' -- \"$word\")); ";
      } else if (is_folder) {
        script += "COMPREPLY=($(compgen -d -- \"$word\")); ";
      }
      script += "return ;;\n";
    }
  }
  script +=
      "  esac\n  case \"$word\" in -*) ;; *) return ;; esac\n  case \"${COMP_WORDS[1]}\" in\n";
  for (const command_syntax* c : commands) {
    std::string options = "--help";
    for (const option_row& row : c->options) options += " --" + std::string{row.name};
    script += "    " + std::string{c->name} + ") COMPREPLY=($(compgen -W '" + options +
              "' -- \"$word\")) ;;\n";
  }
  return script + "  esac\n}\ncomplete -o default -F _aerogpu aerogpu\n";
}

auto zsh_completion(command_list commands) -> std::string {
  std::string script =
      "#compdef aerogpu\n# Made by 'aerogpu complete zsh'.\n"
      "if (( CURRENT == 2 )); then\n  local -a names=(\n";
  for (const command_syntax* c : commands) {
    script +=
        "    " + in_quotes(std::string{c->name} + ":" + std::string{first_line(c->summary)}) + "\n";
  }
  script += "  )\n  local -a flags=(\n";
  for (const program_option& o : program_options) {
    script += "    " + in_quotes("--" + std::string{o.name} + ":" + std::string{o.help}) + "\n";
  }
  script +=
      "  )\n"
      "  if [[ $words[2] == -* ]]; then _describe -o option flags\n"
      "  else _describe command names; fi\n"
      "  return\nfi\nlocal name=$words[2]\nshift words\n"
      "(( CURRENT-- ))\ncase $name in\n";
  for (const command_syntax* c : commands) {
    script += "  " + std::string{c->name} + ") _arguments '--help[this text]'";
    for (const option_row& row : c->options) {
      std::string spec = "--" + std::string{row.name} + in_brackets(row.help);
      const std::string choices = choices_of(row);
      if (!choices.empty()) {
        spec += ":word:(" + choices + ")";
      } else if (!row.argument.empty()) {
        spec += ":" + std::string{row.argument} + ":";
        if (row.argument == "DIR") spec += "_files -/";
        if (row.argument == "FILE") spec += "_files";
      }
      script += " \\\n    " + in_quotes(spec);
    }
    if (c->name == "help") {
      script += " \\\n    '1:command:(" + names_of(commands) + ")'";
    } else if (!c->operands.empty()) {
      script += " \\\n    '*:file:_files'";
    }
    script += " ;;\n";
  }
  return script + "esac\n";
}

auto fish_completion(command_list commands) -> std::string {
  std::string script = "# Made by 'aerogpu complete fish'.\n";
  for (const command_syntax* c : commands) {
    script += "complete -c aerogpu -f -n __fish_use_subcommand -a " + std::string{c->name} +
              " -d " + in_quotes(first_line(c->summary)) + "\n";
  }
  for (const program_option& o : program_options) {
    script += "complete -c aerogpu -f -n __fish_use_subcommand -s " + std::string{o.letter} +
              " -l " + std::string{o.name} + " -d " + in_quotes(o.help) + "\n";
  }
  for (const command_syntax* c : commands) {
    const std::string seen =
        "complete -c aerogpu -n '__fish_seen_subcommand_from " + std::string{c->name} + "'";
    if (c->name == "help") script += seen + " -f -a " + in_quotes(names_of(commands)) + "\n";
    for (const option_row& row : c->options) {
      script += seen + " -l " + std::string{row.name} + " -d " + in_quotes(row.help);
      const std::string choices = choices_of(row);
      if (!choices.empty()) {
        script += " -x -a " + in_quotes(choices);
      } else if (row.argument == "DIR") {
        script += " -x -a '(__fish_complete_directories)'";
      } else if (!row.argument.empty()) {
        script += row.argument == "FILE" ? " -r" : " -x";
      }
      script += "\n";
    }
  }
  return script;
}

}  // namespace aerogpu::tool
