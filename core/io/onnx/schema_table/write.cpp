// Writes the operator schemas of the installed onnx library as a C++ table at build time: creating them takes the
// library 7 ms in each process.
#include <onnx/defs/schema.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

int main()
{
    std::vector<onnx::OpSchema> schemas = onnx::OpSchemaRegistry::get_all_schemas_with_history();
    std::erase_if(schemas, [](const onnx::OpSchema &schema) { return !schema.domain().empty(); });
    std::sort(schemas.begin(), schemas.end(), [](const onnx::OpSchema &a, const onnx::OpSchema &b) {
        return std::pair(a.Name(), a.SinceVersion()) < std::pair(b.Name(), b.SinceVersion());
    });
    std::cout << "constexpr int newestOpsetOfTable = "
              << onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map().at("").second << ";\n"
              << "constexpr Schema schemas[] = {\n";
    for (const onnx::OpSchema &schema : schemas) {
        std::string inputs, attributes;
        for (const auto &input : schema.inputs())
            inputs += (input.GetOption() == onnx::OpSchema::Single ? " !" : " ") + input.GetName();
        for (const auto &[name, attribute] : schema.attributes())
            attributes += (attribute.required ? " !" : " ") + name;
        std::cout << "{\"" << schema.Name() << "\", " << schema.SinceVersion() << ", "
                  << (schema.deprecated() ? "true" : "false") << ", " << schema.min_input() << ", "
                  << schema.max_input() << ", " << schema.min_output() << ", " << schema.max_output() << ", \""
                  << inputs << "\", \"" << attributes << "\"},\n";
    }
    std::cout << "};\n";
}
