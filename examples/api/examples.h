#pragma once

#include <filesystem>

// Each example is one function; main() calls them.
void load(const std::filesystem::path &model);
void quantize(const std::filesystem::path &model, const std::filesystem::path &data);
void settings(const std::filesystem::path &model, const std::filesystem::path &data);
void run(const std::filesystem::path &model, const std::filesystem::path &data);
void analyse(const std::filesystem::path &model, const std::filesystem::path &data);
void exportModel(const std::filesystem::path &model, const std::filesystem::path &data,
                 const std::filesystem::path &target);
void fakeQuantize();
void toInteger();
